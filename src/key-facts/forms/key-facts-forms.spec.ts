import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chargeFees, quoteLoan } from '../../loans/index.js';
import { canonicalJson } from '../../platform/index.js';
import type { KeyFactsBlock, KeyFactsDocument, KeyFactsTable } from './key-facts-document.js';
import { keyFactsExample } from '../domain/key-facts-example.js';
import { keyFactsForm5 } from './form-5/form-5.js';
import { CURRENT_FORM_VERSION, FORMS, keyFactsDocument } from './key-facts-forms.js';
import type { KeyFactsInput } from '../domain/key-facts-input.js';
import { keyFactsStatement } from '../domain/key-facts-statement.js';
import { keyFactsWordsExample } from './key-facts-words-example.js';

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

function blocksOf(document: KeyFactsDocument): KeyFactsBlock[] {
  return document.sections.flatMap(({ blocks }) => blocks);
}

function tablesOf(document: KeyFactsDocument): KeyFactsTable[] {
  return blocksOf(document).flatMap((block) => (block.kind === 'table' ? [block.table] : []));
}

function rowsOf(table: KeyFactsTable): string[][] {
  return table.groups.flatMap(({ rows }) => rows.map((row) => row.map(({ text }) => text)));
}

describe('a statement in words', () => {
  it('formats money, percentages and India’s dates', () => {
    const { opening, summary } = documentOf();
    // 19:00 UTC on the 20th is the 21st in India.
    expect(opening.map(({ value }) => value)).toEqual([
      'Example Finance Limited',
      'Rinpath',
      'off_0192f0c1a2b34c5d8e9f0a1b2c3d4e5f',
      '21 November 2026',
      '26 November 2026, 6:30 pm IST',
    ]);
    expect(summary.figures.map(({ value }) => value)).toEqual([
      '₹970',
      '17.07%',
      '₹19,600',
      '₹23,274',
    ]);
  });

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
    const { summary, sections } = documentOf({ quote });
    expect(summary.sentences[0]).toBe('You borrow ₹20,000, and all of it arrives in your account.');
    const fees = tablesOf({ ...documentOf({ quote }), sections }).find(
      ({ kind }) => kind === 'fees',
    )!;
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

  it('numbers its rows as the circular does, 1 to 10 of Part 1 and 1 to 6 of Part 2', () => {
    const numbers = (id: string) =>
      documentOf()
        .sections.filter((section) => section.id === id)
        .flatMap(({ blocks }) => blocks)
        .flatMap((block) => {
          if (block.kind === 'heading') return [block.text.split('.')[0]];
          return block.kind === 'table' && block.table.kind === 'facts'
            ? rowsOf(block.table).map(([number]) => number)
            : [];
        })
        .filter((number) => number !== '');
    expect(numbers('part-1')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(numbers('part-2')).toEqual(['1', '2', '4', '5', '3', '6', '6 (i)', '6 (ii)']);
  });

  it('says how a fee comes about', () => {
    const fees = tablesOf(documentOf()).find(({ kind }) => kind === 'fees')!;
    expect(fees.groups.map(({ rows }) => rows[0][0].note)).toEqual([
      '1% of the loan amount, plus ₹37 GST',
      '',
    ]);
    expect(fees.total).toEqual({ label: 'Total', value: '₹400' });
  });

  it('names the service provider that may come as recovery agent, and says so when there is none', () => {
    const rows = (change: Partial<KeyFactsInput>) => tablesOf(documentOf(change)).flatMap(rowsOf);
    const agent = (change: Partial<KeyFactsInput>) =>
      rows(change)
        .find(([number]) => number === '6 (ii)')
        ?.at(-1);
    expect(agent({ recoveryAgentLsp: 'Collectors Limited' })).toBe('Collectors Limited');
    expect(agent({ recoveryAgentLsp: null })).toBe('None');
  });

  it('names both lenders, their shares and the blended rate of collaborative lending', () => {
    const rows = tablesOf(documentOf({ collaborativeLending: COLLABORATIVE })).flatMap(rowsOf);
    const values = rows.map(([, , value]) => value);
    expect(values).toContain('One NBFC, 20%');
    expect(values).toContain('Two Bank, 80%');
    expect(values).toContain('15% a year');
  });

  it('tells midnight from noon', () => {
    const validity = (validUntil: string) => documentOf({ validUntil }).opening.at(-1)!.value;
    expect(validity('2026-11-30T18:30:00Z')).toBe('1 December 2026, 12:00 am IST');
    expect(validity('2026-11-30T06:30:00Z')).toBe('30 November 2026, 12:00 pm IST');
  });

  it('shows the gold only when there is any', () => {
    const sections = (collateralExplanation: string | null) =>
      documentOf({ collateralExplanation }).sections.map(({ id }) => id);
    expect(sections(null)).not.toContain('collateral');
    expect(sections('40 g of gold is worth ₹3,00,000.')).toContain('collateral');
  });

  it('has a cell for each column in each row, and every instalment', () => {
    for (const table of tablesOf(documentOf({ collaborativeLending: COLLABORATIVE }))) {
      for (const row of rowsOf(table)) expect(row).toHaveLength(table.columns.length);
    }
    const schedule = tablesOf(documentOf()).find(({ kind }) => kind === 'schedule')!;
    expect(rowsOf(schedule).map(([number]) => number)).toEqual(
      Array.from({ length: 24 }, (_, index) => String(index + 1)),
    );
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

  it('leaves nothing of the form in English on the Hindi page', () => {
    const texts = documentOf({}, 'hi');
    const headings = [
      texts.heading,
      texts.summary.title,
      ...texts.sections.map((one) => one.title),
    ];
    const captions = tablesOf(texts).flatMap(({ caption, columns }) => [
      caption,
      ...columns.map(({ heading }) => heading),
    ]);
    for (const text of [...headings, ...captions, ...texts.summary.sentences]) {
      expect(text).toMatch(/\p{Script=Devanagari}/u);
    }
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

function digestOf(name: string, language: 'en' | 'hi'): string {
  const said = canonicalJson(documentOf(STATEMENTS[name], language));
  return createHash('sha256').update(said).digest('hex');
}

describe('version 5 of the form', () => {
  it.each([
    ['plain', 'en', '8ed48cb45cf237e1f5755d4efe708e27e2629e6a52a1457e4bca7758c41a5798'],
    ['plain', 'hi', '31be5554d845c4ad72283e54cd588dc71bec65dc5978f55af10068d7e54e1fad'],
    [
      'gold, collaborative, with a recovery agent',
      'en',
      '68770f1e6a7dcf0e802aefdfb60d82941e6a156c370a03e9ebf7e2952e2870b3',
    ],
    [
      'gold, collaborative, with a recovery agent',
      'hi',
      'c218ee74e9e700fff3f8e2fb155902b7458d281f868e1743c05990232f8576c1',
    ],
    [
      'charges paid up front',
      'en',
      '2ba5260e67dc07a4aa9c63b9841b80b422e8a2e58c387c43fa63ffb236564197',
    ],
    [
      'charges paid up front',
      'hi',
      '5b11de1b4e567e7c3cdd86a1efcbd882daaa0408d5a1d7e48c351fa28eb6600a',
    ],
    [
      'charges of every kind',
      'en',
      '72b1283d778e49dd182ad9a14ed0f609da7eb7a5c80dc26b4259cf0675d134c3',
    ],
    [
      'charges of every kind',
      'hi',
      '845ecce409e2aa907c9a3a1d68482490002b39c517a6e609723b81f6eb5ab14d',
    ],
    [
      'with its own texts in Hindi',
      'en',
      '8ed48cb45cf237e1f5755d4efe708e27e2629e6a52a1457e4bca7758c41a5798',
    ],
    [
      'with its own texts in Hindi',
      'hi',
      '0596994f92de205b7e17a3037db04041793654e40b10def5b6e7f6ec4126cbd9',
    ],
  ] as const)('says of the statement "%s" in %s what it always said', (name, language, digest) => {
    expect(digestOf(name, language)).toBe(digest);
  });

  it('says what the lender and the product call things in the language of the reader', () => {
    const { texts } = STATEMENTS['with its own texts in Hindi'];
    const of = (language: 'en' | 'hi') => JSON.stringify(documentOf({ texts }, language));
    for (const [english, text] of Object.entries(texts!.hi!)) {
      expect([of('hi').includes(text), of('hi').includes(english)]).toEqual([true, false]);
      expect([of('en').includes(text), of('en').includes(english)]).toEqual([false, true]);
    }
  });

  it('says beneath the schedule what all instalments come to', () => {
    const { sections } = documentOf();
    const notes = sections
      .at(-1)!
      .blocks.flatMap((block) => (block.kind === 'note' ? [block.text] : []));
    expect(notes).toEqual([expect.stringContaining('all of them come to ₹23,274.')]);
    const rows = rowsOf(tablesOf(documentOf()).at(-1)!);
    expect([rows[0].at(-1), rows.at(-1)!.at(-1)]).toEqual(['₹970', '₹964']);
  });

  it('has the figures of the offer’s card', () => {
    expect(documentOf().summary.figures).toEqual([
      { label: 'EMI × 24 months', value: '₹970' },
      { label: 'APR', value: '17.07%' },
      { label: 'You get', value: '₹19,600' },
      { label: 'You repay', value: '₹23,274' },
    ]);
  });

  it('adds a fee that is paid up front to what is repaid, and takes it off nothing', () => {
    const { figures } = documentOf({ areChargesPaidUpFront: true }).summary;
    expect(figures.slice(2)).toEqual([
      { label: 'You get', value: '₹20,000' },
      { label: 'You repay, with the fee', value: '₹23,674' },
    ]);
  });

  it('is the one in which new statements are drawn up', () => {
    expect(CURRENT_FORM_VERSION).toBe('5');
  });
});

describe('a second version of the form', () => {
  const forms = FORMS as Map<string, typeof keyFactsDocument>;

  beforeAll(() => {
    forms.set('6', (...of) => ({ ...keyFactsForm5(...of), heading: 'In form 6' }));
  });

  afterAll(() => {
    forms.delete('6');
  });

  it('is used for the statements that name it', () => {
    expect(documentOf({ templateVersion: '6' }).heading).toBe('In form 6');
  });

  it('leaves the other version as it was', () => {
    expect(documentOf({ templateVersion: '5' }).heading).toBe('Key Facts Statement');
  });
});

describe('a version of the form that there is none of', () => {
  it('is refused, rather than shown in another one', () => {
    expect(() => documentOf({ templateVersion: '0' })).toThrow(RangeError);
    expect(() => documentOf({ templateVersion: '6' })).toThrow('no version 6');
  });
});
