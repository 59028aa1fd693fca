import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { SMS_TEXTS } from '../../../src/messaging/sms-texts.js';
import { catalogueOf, type Language, LANGUAGES, projectPath } from '../../../src/platform/index.js';

const FOLDER = projectPath('views/language');
const FILES = readdirSync(FOLDER);
const AREAS = [...new Set(FILES.map((file) => file.split('.')[0] ?? ''))];
/** A key as it stands in a template or in code: whole, and in quotes. */
const QUOTED = /['"`]([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9-]+)+)['"`]/g;
const FILE_NAME = /\.(css|js|json|hbs)$/;
const PLURAL = /\.(one|other)$/;

/** One word for each thing; what is not said instead of it. */
const WORDS: readonly (readonly [string, RegExp])[] = [
  ['ऋणदाता', /(?<!कै)लेंडर|लोनदाता/],
  ['रकम', /राशि/],
  ['लोन', /ऋण(?!दाता)/],
  ['किस्त', /मासिक/],
  ['ख़र्च', /लागत/],
  ['ख़त्म', /खत्म|समाप्त/],
  ['पैन', /\bPAN\b/],
  ['ऑटो-पे', /मैंडेट/],
  ['तय', /स्थिर/],
  ['आँकड़े', /आंकड़/],
  ['जाँच', /जांच/],
  ['बाकी', /बाक़ी/],
  ['आख़िरी', /आखिर/],
  ['तारीख़', /तारीख(?!़)/],
  ['ग़लती', /गलत/],
];

/** Of a statement that was agreed to every word stays: another one is another version of the form. */
function isOfForm(name: string): boolean {
  return name.startsWith('kfs.form1.');
}

/** Texts that stand in the code, a name for each. */
const TEXTS_OF_CODE: readonly { name: string; texts: Readonly<Record<Language, string>> }[] = [
  ...Object.entries(SMS_TEXTS).map(([name, texts]) => ({ name, texts })),
  ...CONSENT_TEXTS[CONSENT_VERSION].en.points.map((en, place) => ({
    name: `consent, point ${place + 1}`,
    texts: { en, hi: CONSENT_TEXTS[CONSENT_VERSION].hi.points[place] },
  })),
];

const english = catalogueOf('en');
const sources = filesBelow('src')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .concat(filesBelow('views').filter((file) => file.endsWith('.hbs')));
const used = usedKeys();

function filesBelow(folder: string): string[] {
  return readdirSync(projectPath(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every quoted text that begins with an area of ours and every text of a step, and where it stands. */
function usedKeys(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of sources) {
    for (const [, key = ''] of readFileSync(file, 'utf8').matchAll(QUOTED)) {
      if (FILE_NAME.test(key)) continue;
      if (AREAS.includes(key.split('.')[0] ?? '')) found.set(key, file);
    }
  }
  for (const { textKeys, page } of REDIRECT_DEFINITIONS) {
    for (const key of Object.values(textKeys)) found.set(key, `src/journey-steps/${page}.ts`);
  }
  return found;
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name).toSorted();
}

function rawKeys(file: string): string[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key = '']) => key);
}

describe('the catalogues of views/language', () => {
  it('have a file of each area in each language', () => {
    const expected = AREAS.flatMap((area) =>
      LANGUAGES.map((language) => `${area}.${language}.json`),
    );
    expect(FILES.toSorted()).toEqual(expected.toSorted());
  });

  it.each(FILES)('%s: keys of its own area, each once', (file) => {
    const keys = rawKeys(file);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([]);
    const area = `${file.split('.')[0]}.`;
    expect(keys.filter((key) => !key.startsWith(area))).toEqual([]);
  });

  it.each(LANGUAGES)('have every key in %s, with the same placeholders', (language) => {
    const catalogue = catalogueOf(language);
    expect([...english.keys()].filter((key) => !catalogue.has(key))).toEqual([]);
    expect([...catalogue.keys()].filter((key) => !english.has(key))).toEqual([]);
    for (const [key, text] of catalogue) {
      expect([key, text.trim()]).toEqual([key, text]);
      expect([key, text === '']).toEqual([key, false]);
      expect([key, placeholders(text)]).toEqual([key, placeholders(english.get(key) ?? '')]);
    }
  });

  it('have every key that a template or the code names', () => {
    const missing = [...used]
      .filter(([key]) => !english.has(key) && !english.has(`${key}.other`))
      .map(([key, file]) => `${key} in ${file}`);
    expect(missing).toEqual([]);
  });

  it('have no key that nothing names', () => {
    const unused = [...english.keys()].filter(
      (key) => !used.has(key) && !used.has(key.replace(PLURAL, '')),
    );
    expect(unused).toEqual([]);
  });

  it('have both forms of each plural', () => {
    const bases = new Set(
      [...english.keys()].filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, '')),
    );
    for (const base of bases) {
      // `fault.other` and `lead.one` are keys of their own.
      if (!english.has(`${base}.one`) || english.has(base)) continue;
      expect([base, english.has(`${base}.other`)]).toEqual([base, true]);
    }
  });

  it.each(LANGUAGES)('have every text of the code in %s, too: SMS and the consent', (language) => {
    expect(
      TEXTS_OF_CODE.filter(({ texts }) => !texts[language]?.trim()).map(({ name }) => name),
    ).toEqual([]);
  });

  it.each(WORDS)('say “%s” in Hindi, and not “%s”, on screens and in SMS', (_, shunned) => {
    const texts = [
      ...catalogueOf('hi'),
      ...TEXTS_OF_CODE.map(({ name, texts: { hi } }) => [name, hi] as const),
    ];
    const found = texts.filter(([name, text]) => !isOfForm(name) && shunned.test(text));
    expect(found).toEqual([]);
  });

  it('write digits in Latin, as people here do on forms', () => {
    const devanagari = [...catalogueOf('hi')].filter(([, text]) => /[०-९]/.test(text));
    expect(devanagari).toEqual([]);
  });
});
