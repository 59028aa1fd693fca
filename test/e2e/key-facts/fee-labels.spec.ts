import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chargeFees,
  type FeeTerm,
  formatRupees,
  quoteLoan,
  repaymentSchedule,
  roundToRupee,
} from '../../../src/loans/index.js';
import drawnStatement from '../../../src/key-facts/pdf/drawing/drawn-statement.js';
import { keyFactsExample } from '../../../src/key-facts/domain/key-facts-example.js';
import { keyFactsStatement } from '../../../src/key-facts/domain/key-facts-statement.js';
import type { KeyFactsDocument } from '../../../src/key-facts/forms/key-facts-document.js';
import { keyFactsDocument } from '../../../src/key-facts/forms/key-facts-forms.js';
import { keyFactsWordsExample } from '../../../src/key-facts/forms/key-facts-words-example.js';
import { readPdf } from './read-pdf.js';

const WORDS = { en: keyFactsWordsExample('en'), hi: keyFactsWordsExample('hi') };
type Language = keyof typeof WORDS;

const PAGE_TEXTS = { footer: [], pageNumber: '{page} {pages}', continued: '{caption}' };
const PDF = { title: 'Statement', createdAt: new Date('2026-11-20T19:00:00Z') };

/** A label in each language, with the amounts that it names. */
const LABELS: Readonly<Record<Language, Readonly<Record<string, RegExp>>>> = {
  en: {
    share: /(?<percent>[\d.]+)% of the loan amount/,
    flat: /loan amount plus ₹(?<flat>[\d,]+)/,
    minimum: /at least ₹(?<minimum>[\d,]+)/,
    maximum: /at most ₹(?<maximum>[\d,]+)/,
    gst: /(?:plus|includes) ₹(?<gst>[\d,]+) GST/,
  },
  hi: {
    share: /लोन की रकम का (?<percent>[\d.]+)%/,
    flat: /% और ₹(?<flat>[\d,]+)/,
    minimum: /(?<!से )कम से कम ₹(?<minimum>[\d,]+)/,
    maximum: /ज़्यादा से ज़्यादा ₹(?<maximum>[\d,]+)/,
    gst: /₹(?<gst>[\d,]+) GST/,
  },
};

/** The amount that a label says, in paise; null for a label that names no percentage. */
function amountSaid(label: string, language: Language, principal: number): number | null {
  const read = (name: string) => {
    const found = LABELS[language][name].exec(label)?.[1];
    return found === undefined ? undefined : Number(found.replaceAll(',', ''));
  };
  const percent = read('share');
  if (percent === undefined) return null;
  const sum = (principal * Math.round(percent * 100)) / 10_000 + (read('flat') ?? 0) * 100;
  const minimum = (read('minimum') ?? 0) * 100;
  const maximum = (read('maximum') ?? Number.MAX_SAFE_INTEGER / 100) * 100;
  const beforeTax = Math.min(Math.max(sum, minimum), maximum);
  const isBounded = [LABELS[language].minimum, LABELS[language].maximum].some((one) =>
    one.test(label),
  );
  if (isBounded && beforeTax === sum)
    throw new Error(`${label} names a bound that decides nothing`);
  return roundToRupee(beforeTax) + (read('gst') ?? 0) * 100;
}

const rupees = (min: number, max: number) => fc.integer({ min, max }).map((whole) => whole * 100);

const term = fc
  .record(
    {
      percentOfPrincipal: fc.integer({ min: 1, max: 400 }).map((hundredths) => hundredths / 100),
      flat: rupees(1, 500),
      minimum: rupees(1, 2_000),
      maximum: rupees(2_000, 40_000),
      gstPercent: fc.constantFrom(5, 18),
    },
    { requiredKeys: ['percentOfPrincipal'] },
  )
  .map((one): Omit<FeeTerm, 'name'> => ({ ...one, payee: 'LENDER' }));

const loans = fc.record({
  principal: fc.oneof(rupees(10_000, 50_000), rupees(50_000, 1_00_00_000)),
  terms: fc.array(term, { minLength: 1, maxLength: 3 }),
});

function documentOf(principal: number, terms: FeeTerm[], language: Language): KeyFactsDocument {
  const fees = chargeFees(principal, terms);
  const quote = quoteLoan({ principal, annualRatePercent: 15, tenureMonths: 3, fees });
  const schedule = repaymentSchedule(principal, 15, 3);
  const facts = keyFactsExample({ quote, schedule });
  return keyFactsDocument(keyFactsStatement(facts), WORDS[language], language);
}

function feesOf(document: KeyFactsDocument): { name: string; label: string; amount: string }[] {
  return document.sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) =>
      block.kind === 'table' && block.table.kind === 'fees' ? [block.table] : [],
    )
    .flatMap(({ groups }) => groups.flatMap(({ rows }) => rows))
    .map(([name, , amount]) => ({ name: name.text, label: name.note, amount: amount.text }));
}

function named(terms: readonly Omit<FeeTerm, 'name'>[]): FeeTerm[] {
  return terms.map((one, place) => ({ ...one, name: `Charge ${place + 1}` }));
}

describe.each(['en', 'hi'] as const)('the label of a charge in %s', (language) => {
  it('gives its amount to the paisa, whatever the terms', () => {
    fc.assert(
      fc.property(loans, ({ principal, terms }) => {
        const shown = feesOf(documentOf(principal, named(terms), language));
        expect(shown).toHaveLength(terms.length);
        for (const { label, amount } of shown) {
          expect(formatRupees(amountSaid(label, language, principal)!)).toBe(amount);
        }
      }),
    );
  });

  it('is the same in the PDF', async () => {
    await fc.assert(
      fc.asyncProperty(loans, async ({ principal, terms }) => {
        const document = documentOf(principal, named(terms), language);
        const properties = { ...PDF, language };
        const bytes = await drawnStatement({ properties, document, pageTexts: PAGE_TEXTS });
        const read = readPdf(Buffer.from(bytes)).pages.flat().join(' ').replaceAll(/\s+/g, ' ');
        for (const { label, amount } of feesOf(document)) {
          expect(read).toContain(label);
          expect(read).toContain(amount);
        }
      }),
      { numRuns: 5 },
    );
  });
});

describe('the label of a charge', () => {
  const labelOf = (principal: number, terms: Partial<FeeTerm>) =>
    feesOf(documentOf(principal, named([{ payee: 'LENDER', ...terms }]), 'en'))[0].label;

  it.each<[string, number, Partial<FeeTerm>]>([
    ['2% of the loan amount', 20_000_00, { percentOfPrincipal: 2, minimum: 100_00 }],
    ['2% of the loan amount, at least ₹100', 2_000_00, { percentOfPrincipal: 2, minimum: 100_00 }],
    [
      '2.5% of the loan amount, at most ₹30,000, plus ₹5,400 GST',
      1_00_00_000_00,
      { percentOfPrincipal: 2.5, maximum: 30_000_00, gstPercent: 18 },
    ],
    ['2% of the loan amount plus ₹100', 20_000_00, { percentOfPrincipal: 2, flat: 100_00 }],
    ['includes ₹18 GST', 20_000_00, { flat: 100_00, gstPercent: 18 }],
    ['', 20_000_00, { flat: 100_00 }],
    ['', 20_000_00, { percentOfPrincipal: 0, flat: 100_00 }],
  ])('is "%s"', (label, principal, terms) => {
    expect(labelOf(principal, terms)).toBe(label);
  });
});
