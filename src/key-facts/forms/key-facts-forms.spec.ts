import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chargeFees, quoteLoan } from '../../loans/index.js';
import { canonicalJson, sha256 } from '../../platform/index.js';
import { keyFactsExample } from '../domain/key-facts-example.js';
import type { KeyFactsInput } from '../domain/key-facts-input.js';
import { keyFactsStatement } from '../domain/key-facts-statement.js';
import { keyFactsForm5 } from './form-5/form-5.js';
import type { KeyFactsDocument, KeyFactsTable, KeyFactsWords } from './key-facts-document.js';
import { FORMS, keyFactsDocument } from './key-facts-forms.js';

function keyFactsWordsExample(language: 'en' | 'hi'): KeyFactsWords {
  const file = new URL(`../../../views/language/kfs.${language}.json`, import.meta.url);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (key, values = {}) => {
    const form = values.count === 1 ? 'one' : 'other';
    const text = texts[key] ?? texts[`${key}.${form}`];
    if (text === undefined) throw new Error(`no text ${key}`);
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`${key} needs {${name}}`);
      return String(values[name]);
    });
  };
}

const WORDS = { en: keyFactsWordsExample('en'), hi: keyFactsWordsExample('hi') };

const COLLABORATIVE = {
  originatingLender: { name: 'One NBFC', sharePercent: 20 },
  partnerLender: { name: 'Two Bank', sharePercent: 80 },
  blendedRatePercent: 15,
};

function documentOf(
  change: Partial<KeyFactsInput> = {},
  language: 'en' | 'hi' = 'en',
): KeyFactsDocument {
  const statement = keyFactsStatement(keyFactsExample(change));
  return keyFactsDocument(statement, WORDS[language], language);
}

function tablesOf({ sections }: KeyFactsDocument): KeyFactsTable[] {
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : [])),
  );
}

function rowsOf(table: KeyFactsTable): string[][] {
  return table.groups.flatMap(({ rows }) => rows.map((row) => row.map(({ text }) => text)));
}

describe('a statement in words', () => {
  it('says in plain sentences what arrives, what is paid back and what it costs', () => {
    expect(documentOf().summary.sentences).toEqual([
      'You borrow ₹20,000. Charges of ₹400 are taken off first, so ₹19,600 arrives in your account.',
      'You repay a total of ₹23,274: ₹20,000 that you borrowed and ₹3,274 interest.',
      'With the charges, you pay ₹3,674 more than you receive. That is 17.07% a year (APR).',
      'You can change your mind: for 3 days (the cooling-off period) no penalty is charged if you pay the loan back.',
      'A fee or charge that is not in this statement cannot be charged to you without your explicit consent.',
    ]);
  });

  it('speaks of no charges where there are none', () => {
    const input = keyFactsExample();
    const quote = { ...input.quote, fees: [], processingFees: 0, netDisbursed: 20_000_00 };
    const document = documentOf({ quote });
    const [sentence] = document.summary.sentences;
    expect(sentence).toBe('You borrow ₹20,000, and all of it arrives in your account.');
    const fees = tablesOf(document).find(({ kind }) => kind === 'fees')!;
    expect(fees.groups.map(({ rows, none }) => [rows.length, none])).toEqual([
      [0, 'None'],
      [0, 'None'],
    ]);
  });

  it('has Part 1, Part 2, Annex B and Annex C, in the order of the circular', () => {
    expect(documentOf().sections.map(({ title }) => title)).toEqual([
      'Part 1: interest rate and fees or charges',
      'Part 2: other information',
      'Annex B: computation of the APR',
      'Annex C: repayment schedule',
    ]);
  });

  it('names the service provider that may come as recovery agent, and says so when there is none', () => {
    const agent = (recoveryAgentLsp: string | null) => {
      const rows = tablesOf(documentOf({ recoveryAgentLsp })).flatMap(rowsOf);
      return rows.find(([number]) => number === '6 (ii)')?.at(-1);
    };
    expect(agent('Collectors Limited')).toBe('Collectors Limited');
    expect(agent(null)).toBe('None');
  });

  it('has the same figures, rows and numbers in every language', () => {
    const figures = (document: KeyFactsDocument) =>
      JSON.stringify(document)
        .match(/₹\d+(?:,\d+)*|\d+(?:\.\d+)?%/g)
        ?.toSorted();
    expect(figures(documentOf({}, 'hi'))).toEqual(figures(documentOf()));
    const shape = (document: KeyFactsDocument) =>
      tablesOf(document).map((table) => rowsOf(table).map(([number]) => number.replace(/\D/g, '')));
    expect(shape(documentOf({}, 'hi'))).toEqual(shape(documentOf()));
  });
});

const QUOTE_WITH_CHARGES = quoteLoan({
  principal: 20_000_00,
  annualRatePercent: 15,
  tenureMonths: 24,
  fees: chargeFees(
    20_000_00,
    [
      { percentOfPrincipal: 2, gstPercent: 18 },
      { percentOfPrincipal: 2, minimum: 500_00 },
      { percentOfPrincipal: 2, maximum: 300_00, gstPercent: 18 },
      { percentOfPrincipal: 2, flat: 100_00 },
      { percentOfPrincipal: 2, flat: 100_00, minimum: 600_00 },
      { percentOfPrincipal: 2, flat: 100_00, maximum: 450_00 },
      { flat: 99_00, gstPercent: 18 },
      { flat: 99_00 },
    ].map((term, place) => ({ ...term, name: `Charge ${place + 1}`, payee: 'LENDER' as const })),
  ),
});

/**
 * An agreed form never changes. If this fails, restore it and add a new version (docs/adr/0009).
 * Digests are only added.
 */
const STATEMENTS: Record<string, Partial<KeyFactsInput>> = {
  plain: {},
  'gold, collaborative, with a recovery agent': {
    collateralExplanation: '40 g of gold is worth ₹3,00,000.',
    collaborativeLending: COLLABORATIVE,
    recoveryAgentLsp: 'Collectors Limited',
    mayBeTransferred: false,
    contingentCharges: [],
    coolingOffDays: 1,
  },
  'charges paid up front': { areChargesPaidUpFront: true },
  'charges of every kind': { quote: QUOTE_WITH_CHARGES },
  'with its own texts in Hindi': {
    texts: {
      hi: {
        'Personal loan': 'पर्सनल लोन',
        'Processing fee': 'प्रोसेसिंग शुल्क',
        Insurance: 'बीमा',
        'Penal charge': 'देर का शुल्क',
        '2% a month on the overdue amount': 'बकाया पर हर महीने 2%',
        'Clause 11 of the loan agreement': 'लोन समझौते का खंड 11',
        'Clause 14 of the loan agreement': 'लोन समझौते का खंड 14',
      },
    },
  },
};

describe('version 5 of the form', () => {
  it.each([
    [
      'plain',
      '8ed48cb45cf237e1f5755d4efe708e27e2629e6a52a1457e4bca7758c41a5798',
      '31be5554d845c4ad72283e54cd588dc71bec65dc5978f55af10068d7e54e1fad',
    ],
    [
      'gold, collaborative, with a recovery agent',
      '68770f1e6a7dcf0e802aefdfb60d82941e6a156c370a03e9ebf7e2952e2870b3',
      'c218ee74e9e700fff3f8e2fb155902b7458d281f868e1743c05990232f8576c1',
    ],
    [
      'charges paid up front',
      '2ba5260e67dc07a4aa9c63b9841b80b422e8a2e58c387c43fa63ffb236564197',
      '5b11de1b4e567e7c3cdd86a1efcbd882daaa0408d5a1d7e48c351fa28eb6600a',
    ],
    [
      'charges of every kind',
      '72b1283d778e49dd182ad9a14ed0f609da7eb7a5c80dc26b4259cf0675d134c3',
      '845ecce409e2aa907c9a3a1d68482490002b39c517a6e609723b81f6eb5ab14d',
    ],
    [
      'with its own texts in Hindi',
      '8ed48cb45cf237e1f5755d4efe708e27e2629e6a52a1457e4bca7758c41a5798',
      '0596994f92de205b7e17a3037db04041793654e40b10def5b6e7f6ec4126cbd9',
    ],
  ])('says of the statement "%s" in both languages what it always said', (name, en, hi) => {
    const digestOf = (language: 'en' | 'hi') =>
      sha256(canonicalJson(documentOf(STATEMENTS[name], language)));
    expect([digestOf('en'), digestOf('hi')]).toEqual([en, hi]);
  });

  it('adds a fee that is paid up front to what is repaid, and takes it off nothing', () => {
    const { figures } = documentOf({ areChargesPaidUpFront: true }).summary;
    expect(figures.slice(2)).toEqual([
      { label: 'You get', value: '₹20,000' },
      { label: 'You repay, with the fee', value: '₹23,674' },
    ]);
  });
});

describe('another version of the form', () => {
  it('is used for the statements that name it, and one that there is none of is refused', () => {
    const forms = FORMS as Map<string, typeof keyFactsDocument>;
    forms.set('6', (...of) => ({ ...keyFactsForm5(...of), heading: 'In form 6' }));
    onTestFinished(() => void forms.delete('6'));
    expect(documentOf({ templateVersion: '6' }).heading).toBe('In form 6');
    expect(() => documentOf({ templateVersion: '0' })).toThrow('no version 0');
  });
});
