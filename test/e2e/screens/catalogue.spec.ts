import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { SMS_TEXTS } from '../../../src/messaging/sms-texts.js';
import { catalogueOf, LANGUAGES, projectPath } from '../../../src/platform/index.js';
import { missingTexts } from '../../support/missing-texts.js';

const FOLDER = projectPath('views/language');
const FILES = readdirSync(FOLDER);
const AREAS = [...new Set(FILES.map((file) => file.split('.')[0] ?? ''))];
/** A key in a template or in code: complete and quoted. */
const QUOTED = /['"`]([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9-]+)+)['"`]/g;
const FILE_NAME = /\.(css|js|json|hbs)$/;
const PLURAL = /\.(one|other)$/;

const PREPARED = process.env.TEXTS_LANGUAGE ? [process.env.TEXTS_LANGUAGE] : [];
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

/** Every quoted text that could be a key, with its file. */
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

/** Without duplicates: one language may name a lender where the other says "it". */
function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name))].toSorted();
}

describe('the catalogues of views/language', () => {
  it.each(FILES)('%s: keys of its own area, each once', (file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const keys = [...text.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key);
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(keys.length);
    const area = `${file.split('.')[0]}.`;
    expect(keys.filter((key) => !key.startsWith(area))).toEqual([]);
  });

  it.each(LANGUAGES)(
    'have no key in %s that is not in English, and the same placeholders',
    (language) => {
      const catalogue = catalogueOf(language);
      expect([...catalogue.keys()].filter((key) => !english.has(key))).toEqual([]);
      for (const [key, text] of catalogue) {
        expect([key, text]).toEqual([key, expect.stringMatching(/^\S(.*\S)?$/s)]);
        expect([key, placeholders(text)]).toEqual([key, placeholders(english.get(key) ?? '')]);
      }
    },
  );

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

  // `TEXTS_LANGUAGE=ta npm run texts` lists the missing texts of a language in preparation.
  it.each([...LANGUAGES, ...PREPARED])('lack no text in %s', (language) => {
    expect(missingTexts(language)).toEqual([]);
  });

  it('lack all of a language that there is not: of screens, steps, statements and the code', () => {
    expect(missingTexts('xx')).toEqual(
      expect.arrayContaining([
        ...english.keys(),
        ...Object.keys(SMS_TEXTS).map((kind) => `SMS ${kind}`),
        ...REDIRECT_DEFINITIONS.flatMap(({ textKeys }) => Object.values(textKeys)),
        `consent, version ${CONSENT_VERSION}`,
      ]),
    );
  });
});

/** The table of docs/contributors/glossary.md. */
const FIGURES = [
  ...readFileSync(projectPath('docs/contributors/glossary.md'), 'utf8').matchAll(
    /^\| [^|]+ \| `([\w.]+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm,
  ),
];

/** Labels of the statement's summary, and the label of which each is a copy. */
const COPIES = [
  ['kfs.form5.short.emi.other', 'offers.emi.other'],
  ['kfs.form5.short.apr', 'offers.apr'],
  ['kfs.form5.short.get', 'offers.get'],
  ['kfs.form5.short.repay', 'offers.repay'],
  ['kfs.form5.short.repay-with-fee', 'instant.repay'],
] as const;

it.each(['en', 'hi'] as const)(
  'the figures of a loan are called in %s what the glossary calls them, under one key, and the same in a statement',
  (language) => {
    const catalogue = catalogueOf(language);
    const labels = new Map(FIGURES.map(([, key, en, hi]) => [{ en, hi }[language], key]));
    expect(labels.size).toBeGreaterThan(10);
    const keyed = [...catalogue].filter(
      ([key, text]) => labels.has(text) && !key.startsWith('kfs.form'),
    );
    const named = keyed.map(([key, text]) => `${text}: ${key}`);
    expect(named.toSorted()).toEqual([...labels].map((label) => label.join(': ')).toSorted());
    for (const [copy, key] of COPIES) expect(catalogue.get(copy)).toBe(catalogue.get(key));
  },
);
