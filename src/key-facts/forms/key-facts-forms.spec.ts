import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chargeFees, quoteLoan } from '../../loans/index.js';
import { canonicalJson } from '../../platform/index.js';
import type { KeyFactsBlock, KeyFactsDocument, KeyFactsTable } from './key-facts-document.js';
import { keyFactsExample } from '../statement/key-facts-example.js';
import { CURRENT_FORM_VERSION, keyFactsDocument } from './key-facts-forms.js';
import type { KeyFactsInput } from '../statement/key-facts-input.js';
import { keyFactsStatement, type KeyFactsStatement } from '../statement/key-facts-statement.js';
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

/** Each row of a table as its texts. */
function rowsOf(table: KeyFactsTable): string[][] {
  return table.groups.flatMap(({ rows }) => rows.map((row) => row.map(({ text }) => text)));
}

describe('a statement in words', () => {
  it('formats money, percentages and India’s dates', () => {
    const { opening, summary } = documentOf();
    // 19:00 UTC on the 20th is already the 21st in India.
    expect(opening.map(({ value }) => value)).toEqual([
      'Example Finance Limited',
      'Rinpath',
      'off_0192f0c1a2b34c5d8e9f0a1b2c3d4e5f',
      '21 November 2026',
      '26 November 2026, 6:30 pm IST',
    ]);
    expect(summary.figures.map(({ value }) => value)).toEqual([
      '₹20,000',
      '₹19,600',
      '₹970 a month for 24 months',
      '17.07%',
    ]);
  });

  it('says in plain sentences what arrives, what is paid back and what it costs', () => {
    expect(documentOf().summary.sentences).toEqual([
      'You borrow ₹20,000. Charges of ₹400 are taken off first, so ₹19,600 arrives in your account.',
      'You pay back ₹23,274 in all: ₹20,000 that you borrowed and ₹3,274 interest.',
      'With the charges, the loan costs you ₹3,674. That is 17.07% a year (APR).',
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
      '1% of the loan amount; includes ₹37 GST',
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
 * What is agreed in a version of the form is shown in it forever. When this test fails, the words or
 * the order of a form that may have been agreed to have changed: put them back, and make a new
 * version (docs/adr/0009). A digest here is never changed, only added.
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

/** As statements were frozen before form 4: every row has the same instalment. */
function withEqualRows(statement: KeyFactsStatement): KeyFactsStatement {
  const { instalment } = statement.aprComputation;
  const rows = statement.repaymentSchedule.map((row) => ({ ...row, instalment }));
  return { ...statement, repaymentSchedule: rows };
}

function digestOf(name: string, language: 'en' | 'hi', templateVersion: string): string {
  const stated = keyFactsStatement(keyFactsExample({ ...STATEMENTS[name], templateVersion }));
  const statement = templateVersion < '4' ? withEqualRows(stated) : stated;
  const said = canonicalJson(keyFactsDocument(statement, WORDS[language], language));
  return createHash('sha256').update(said).digest('hex');
}

describe('version 1 of the form', () => {
  it.each([
    ['plain', 'en', 'dc643af74a3f521b93af1aa4136998989638ce45fd5e95614f6e8c530e622e58'],
    ['plain', 'hi', 'a03308873c7d29352600979f5dd71b71d4a0e5ae564272824746fdcd01eb1a2a'],
    [
      'gold, collaborative, with a recovery agent',
      'en',
      'ed05bc7e976eedf729087a0fa3acc871043de83ce51b4c96ac4a9c9843c2e9b3',
    ],
    [
      'gold, collaborative, with a recovery agent',
      'hi',
      '19673568963f66dbd6ca7f768bf328fbd056e69763601917de9956bfa45a3762',
    ],
    [
      'charges paid up front',
      'en',
      'efbefd3cfd165b20ebc5181c03b993bca2e67f3e3b60a831e546bcbd32c26a64',
    ],
    [
      'charges paid up front',
      'hi',
      'd60e92e67b3ed6b7910201f09193bb666a61af5cded2db9adc0192b46f7b0455',
    ],
  ] as const)('says of the statement "%s" in %s what it always said', (name, language, digest) => {
    expect(digestOf(name, language, '1')).toBe(digest);
  });
});

describe('version 2 of the form', () => {
  it.each([
    ['plain', 'en', '8f93f3ffc6c6b37a41d0527e3eb65330b7c96af747dd093affe17ab0158504b0'],
    ['plain', 'hi', '48a5198376df6a6ea600c011791bd9c69ad5011a65da57b749be6dc14a97a537'],
    [
      'gold, collaborative, with a recovery agent',
      'en',
      '3253ff1f7997ea29d15b81d6c56a4c9a00c83478b8a08d9537c25c6fdc539912',
    ],
    [
      'gold, collaborative, with a recovery agent',
      'hi',
      'b3a753e1747c76236ad44a8ef621d41dbc45f6a0ba558c6ff99b3c657a0f22d0',
    ],
    [
      'charges paid up front',
      'en',
      'e14c8ef8f3ff4c43d637a1429fe4f5ca974f467b598d3d12a0f028235fbd2625',
    ],
    [
      'charges paid up front',
      'hi',
      'f727fb5addf1a0cb14f1d5c28a662b8dc374cbf0d7af7c49971a8203fdac2ebe',
    ],
    [
      'with its own texts in Hindi',
      'en',
      '8f93f3ffc6c6b37a41d0527e3eb65330b7c96af747dd093affe17ab0158504b0',
    ],
    [
      'with its own texts in Hindi',
      'hi',
      '3b99cd516e7674f46174491a99b27ee220abc01d56db33d8f7fb608d8d7f43ee',
    ],
  ] as const)('says of the statement "%s" in %s what it always said', (name, language, digest) => {
    expect(digestOf(name, language, '2')).toBe(digest);
  });

  it('says what the lender and the product call things in the language of the reader', () => {
    const { texts } = STATEMENTS['with its own texts in Hindi'];
    const hindi = Object.entries(texts!.hi!);
    const of = (language: 'en' | 'hi') =>
      JSON.stringify(documentOf({ texts, templateVersion: '2' }, language));
    for (const [english, text] of hindi) {
      expect([of('hi').includes(text), of('hi').includes(english)]).toEqual([true, false]);
      expect([of('en').includes(text), of('en').includes(english)]).toEqual([false, true]);
    }
  });

  it('has figures, rows and numbers as version 1 has them', () => {
    for (const language of ['en', 'hi'] as const) {
      const figures = (templateVersion: string) =>
        JSON.stringify(documentOf({ templateVersion }, language))
          .match(/₹\d+(?:,\d+)*|\d+(?:\.\d+)?%/g)
          ?.toSorted();
      expect(figures('2')).toEqual(figures('1'));
    }
  });
});

describe('version 3 of the form', () => {
  it.each([
    ['plain', 'en', '2d7f3f9044692f89abda1f3963913c5aee374fe65943ed718b28756ca1b0edcc'],
    ['plain', 'hi', 'd51b7db420daa97c2ed20864bb7a988d2991e1924ac2dd7691af8ff583de01ce'],
    [
      'gold, collaborative, with a recovery agent',
      'en',
      '56fec9657cb48dd3fcbed80f60f9d45594fea4dee808a66b9a1345d756faf7cd',
    ],
    [
      'gold, collaborative, with a recovery agent',
      'hi',
      'd7926f57a4c5b3e1f1c904958d4293d58d9c1cf430ca763877749b5b840ac938',
    ],
    [
      'charges paid up front',
      'en',
      '74922ca82a1370eb71c9e4ba98f8502560e8fb8f145cdd883b28e03d433896f5',
    ],
    [
      'charges paid up front',
      'hi',
      '91a071f451d066570d6174242c280746fedb49354ded5ce385096eafdce43825',
    ],
    [
      'with its own texts in Hindi',
      'en',
      '2d7f3f9044692f89abda1f3963913c5aee374fe65943ed718b28756ca1b0edcc',
    ],
    [
      'with its own texts in Hindi',
      'hi',
      '8688453adfe9c49689126ed941c1b8ae632f9834aafe0dda03559909c9db0284',
    ],
  ] as const)('says of the statement "%s" in %s what it always said', (name, language, digest) => {
    expect(digestOf(name, language, '3')).toBe(digest);
  });
});

describe('version 4 of the form', () => {
  it.each([
    ['plain', 'en', '8ee70880f823f25d31b42a55a8a7335bcec53c45e947ba354e97df1b0024458a'],
    ['plain', 'hi', '18f14b425a6acc2f585ae8184e7fb94fd0527aafaf9d01dfe62cefbaa201822c'],
    [
      'gold, collaborative, with a recovery agent',
      'en',
      '1954aea50ac5d3d4770ecee82b20ccd95578bd0c7d9f7a945946462d407e9438',
    ],
    [
      'gold, collaborative, with a recovery agent',
      'hi',
      '86ca4929a51310358aa49189ad08fa2b232ba1998da91cee2d9ba54db1e18444',
    ],
    [
      'charges paid up front',
      'en',
      '10976e812ce7a1465e1b751849507b7f571746b1a1144d233169337e25dc7a84',
    ],
    [
      'charges paid up front',
      'hi',
      'f5a5f53b47098d115945d1f21cf6fdbc3bdb4df97334d5818cf4588f8d336b79',
    ],
    [
      'with its own texts in Hindi',
      'en',
      '8ee70880f823f25d31b42a55a8a7335bcec53c45e947ba354e97df1b0024458a',
    ],
    [
      'with its own texts in Hindi',
      'hi',
      '52914d36c0ff77abd03d3eb85e344c96f64eb303e584805d176bbfc7321ef3c8',
    ],
    [
      'charges of every kind',
      'en',
      '220e3def2d2b788ba0b0fb87e78d919483d5488c1c35e8b7bd1108dc1f381a41',
    ],
    [
      'charges of every kind',
      'hi',
      'd718c83f9cac206a8cbb3ecb1b86cef2d8fc6fb5f30385f795222b0b38a572ba',
    ],
  ] as const)('says of the statement "%s" in %s what it always said', (name, language, digest) => {
    expect(digestOf(name, language, '4')).toBe(digest);
  });

  it('differs from version 3 only in the notes of charges and of the schedule', () => {
    for (const language of ['en', 'hi'] as const) {
      const without = (templateVersion: string) => {
        const { sections, ...document } = documentOf({ templateVersion }, language);
        const blocks = sections.map((section) =>
          JSON.stringify(section.blocks.filter(({ kind }) => kind !== 'note')).replaceAll(
            /"note":"[^"]*"/g,
            '',
          ),
        );
        return { document, blocks };
      };
      expect(without('4')).toEqual(without('3'));
    }
  });

  it('says beneath the schedule what all instalments come to', () => {
    const schedule = documentOf({ templateVersion: '4' }).sections.at(-1)!;
    const notes = schedule.blocks.flatMap((block) => (block.kind === 'note' ? [block.text] : []));
    expect(notes).toEqual([expect.stringContaining('all of them come to ₹23,274.')]);
    const rows = rowsOf(tablesOf(documentOf({ templateVersion: '4' })).at(-1)!);
    expect([rows[0].at(-1), rows.at(-1)!.at(-1)]).toEqual(['₹970', '₹964']);
  });
});

describe('version 5 of the form', () => {
  it.each([
    ['plain', 'en', '8ed48cb45cf237e1f5755d4efe708e27e2629e6a52a1457e4bca7758c41a5798'],
    ['plain', 'hi', '31be5554d845c4ad72283e54cd588dc71bec65dc5978f55af10068d7e54e1fad'],
    [
      'with its own texts in Hindi',
      'hi',
      '0596994f92de205b7e17a3037db04041793654e40b10def5b6e7f6ec4126cbd9',
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
  ] as const)('says of the statement "%s" in %s what it always said', (name, language, digest) => {
    expect(digestOf(name, language, '5')).toBe(digest);
  });

  it('differs from version 4 only in its short summary', () => {
    for (const language of ['en', 'hi'] as const) {
      const { summary, ...document } = documentOf({ templateVersion: '5' }, language);
      const { summary: before, ...same } = documentOf({ templateVersion: '4' }, language);
      expect(document).toEqual(same);
      expect(summary.sentences.filter((one) => !before.sentences.includes(one))).toEqual([
        expect.stringContaining('₹23,274'),
      ]);
    }
  });

  it('has the figures of the offer’s card', () => {
    expect(documentOf({ templateVersion: '5' }).summary.figures).toEqual([
      { label: 'EMI × 24 months', value: '₹970' },
      { label: 'APR', value: '17.07%' },
      { label: 'You get', value: '₹19,600' },
      { label: 'You repay', value: '₹23,274' },
    ]);
  });

  it('adds a fee that is paid up front to what is repaid, and takes it off nothing', () => {
    const { figures } = documentOf({ templateVersion: '5', areChargesPaidUpFront: true }).summary;
    expect(figures.slice(2)).toEqual([
      { label: 'You get', value: '₹20,000' },
      { label: 'You repay, with the fee', value: '₹23,674' },
    ]);
  });

  it('is the one in which new statements are drawn up', () => {
    expect(CURRENT_FORM_VERSION).toBe('5');
  });
});

describe('a version of the form that there is none of', () => {
  it('is refused, rather than shown in another one', () => {
    expect(() => documentOf({ templateVersion: '0' })).toThrow(RangeError);
    expect(() => documentOf({ templateVersion: '6' })).toThrow('no version 6');
  });
});
