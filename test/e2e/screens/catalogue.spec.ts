import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { SMS_TEXTS } from '../../../src/messaging/sms-texts.js';
import { catalogueOf, type Language, LANGUAGES, projectPath } from '../../../src/platform/index.js';
import { missingTexts } from '../../support/missing-texts.js';

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
  ['हस्ताक्षर', /साइन(?! (?:इन|आउट))/],
  ['तय', /स्थिर/],
  ['आँकड़े', /आंकड़/],
  ['जाँच', /जांच/],
  ['बाकी', /बाक़ी/],
  ['आख़िरी', /आखिर/],
  ['तारीख़', /तारीख(?!़)/],
  ['ग़लती', /गलत|त्रुटि/],
  ['ऑटोपे', /मैंडेट|ऑटो-पे/],
  ['खाता नंबर', /खाता संख्या|खाते (?:का|की) (?:नंबर|संख्या)/],
  ['पहचान की जाँच', /पहचान की पुष्टि|पहचान-जाँच/],
  ['फ़ैसला', /निर्णय|फैसल/],
  ['किस्त बाउंस', /किस्त (?:का भुगतान )?लौट|लौटी हर किस्त/],
  ['क्रेडिट ब्यूरो', /क्रेडिट (?:जानकारी|सूचना) कंपनि/],
  ['दस्तावेज़ कोड', /फ़िंगरप्रिंट|फिंगरप्रिंट/],
  ['डाउनलोड करें', /सहेज/],
  ['लॉग इन', /साइन (?:इन|आउट)/],
  ['SMS', /एसएमएस/],
  ['UPI', /यूपीआई/],
  ['मदद', /सहायता/],
  ['कोशिश', /प्रयास/],
  ['अपने आप', /अपने-आप/],
  ['कामकाजी दिन', /कार्य ?दिवस/],
  ['क़ीमत', /कीमत/],
  ['इस्तेमाल', /उपयोग/],
  ['मैसेज', /संदेश/],
  ['OTP', /वन-टाइम|एक बार का कोड|एक बार के कोड|(?<!पिन |IFSC |दस्तावेज़ )कोड/],
  ['सालाना ख़र्च', /सालाना लागत/],
  ['आख़िरी', /अंतिम/],
  ['ज़्यादा', /अधिक(?![ाृ])/],
  ['सबूत', /प्रमाण(?!पत्र)/],
];

/** The same of words that form 5 of the statement has: it is shown as it was agreed to. */
const WORDS_SINCE_FORM_5: readonly (readonly [string, RegExp])[] = [
  ['ऑफ़र', /प्रस्ताव/],
  ['लोन देना', /उधार/],
];
const FORM_5 = /^kfs\.form5\./;

/** What the shipped files say in Hindi of products, charges and clauses. */
const OWN_TEXTS = ['config/sandbox.yaml', 'config/production.yaml'].flatMap((file) =>
  [...readFileSync(projectPath(file), 'utf8').matchAll(/\bhi: *'?(.+?)'?(?: *\}.*)?$/gm)].map(
    ([, text]) => [file, text] as const,
  ),
);

/** Every text in it, in its order. */
function textsIn(part: unknown): string[] {
  return typeof part === 'string' ? [part] : Object.values(part as object).flatMap(textsIn);
}

/** Texts that stand in the code, a name for each. */
const TEXTS_OF_CODE: readonly { name: string; texts: Readonly<Record<Language, string>> }[] = [
  ...Object.entries(SMS_TEXTS).map(([name, texts]) => ({ name, texts })),
  ...textsIn(CONSENT_TEXTS[CONSENT_VERSION].en).map((en, place) => ({
    name: `consent, text ${place + 1}`,
    texts: { en, hi: textsIn(CONSENT_TEXTS[CONSENT_VERSION].hi)[place] },
  })),
];

const PREPARED = process.env.TEXTS_LANGUAGE ? [process.env.TEXTS_LANGUAGE] : [];
const english = catalogueOf('en');
const hindi = catalogueOf('hi');
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

/** Each once: one language may name a lender where the other says "it". */
function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name))].toSorted();
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

  it.each(LANGUAGES)(
    'have no key in %s that is not in English, and the same placeholders',
    (language) => {
      const catalogue = catalogueOf(language);
      expect([...catalogue.keys()].filter((key) => !english.has(key))).toEqual([]);
      for (const [key, text] of catalogue) {
        expect([key, text.trim()]).toEqual([key, text]);
        expect([key, text === '']).toEqual([key, false]);
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

  // TEXTS_LANGUAGE=ta npm run texts: what is missing of a language that is being prepared.
  it.each([...LANGUAGES, ...PREPARED])('lack no text in %s', (language) => {
    expect(missingTexts(language)).toEqual([]);
  });

  it('name each text that a language lacks: of screens, steps, statements and the code', () => {
    const missing = missingTexts('xx');
    expect(missing).toHaveLength(new Set(missing).size);
    expect(missing).toEqual(
      expect.arrayContaining([
        ...english.keys(),
        ...Object.keys(SMS_TEXTS).map((kind) => `SMS ${kind}`),
        `consent, version ${CONSENT_VERSION}`,
        'metric APR_ASC/5',
      ]),
    );
    for (const { textKeys } of REDIRECT_DEFINITIONS) {
      expect(missing).toEqual(expect.arrayContaining(Object.values(textKeys)));
    }
  });

  it.each([
    ...WORDS.map((one) => [...one, /^$/] as const),
    ...WORDS_SINCE_FORM_5.map((one) => [...one, FORM_5] as const),
  ])(
    'say “%s” in Hindi, and not “%s”, on screens, in statements, SMS and the sandbox’s own texts',
    (_, shunned, kept) => {
      const texts = [
        ...hindi,
        ...OWN_TEXTS,
        ...TEXTS_OF_CODE.map(({ name, texts: { hi } }) => [name, hi] as const),
      ];
      const found = texts.filter(([name, text]) => !kept.test(name) && shunned.test(text));
      expect(found).toEqual([]);
    },
  );

  it('never say that something costs nothing, or leaves no mark: an enquiry can lower a score', () => {
    const promised = /costs? (?:you )?nothing|no mark against|कोई ख़र्च नहीं है/;
    expect([...english, ...hindi].filter(([, text]) => promised.test(text))).toEqual([]);
  });

  it('say of one month, too, what stands before a postposition: 1 महीने तक', () => {
    const around = [...hindi].filter(
      ([key, text]) => !key.startsWith('kfs.form') && text.includes('{months}'),
    );
    expect(around.length).toBeGreaterThan(0);
    expect(around.filter(([, text]) => /\{months\} (?!तक|बाद)[\u0900-\u097F]/.test(text))).toEqual(
      [],
    );
    expect(hindi.get('common.months.one')).toBe('{count} महीने');
  });

  it('write digits in Latin, as people here do on forms', () => {
    const devanagari = [...catalogueOf('hi')].filter(([, text]) => /[०-९]/.test(text));
    expect(devanagari).toEqual([]);
  });
});
