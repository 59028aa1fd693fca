import { describe, expect, it } from 'vitest';
import { configurationNotes } from './configuration-notes.js';
import { lendersOf, type LenderSection } from './lender-section.js';
import { productsOf } from './product-section.js';
import {
  check,
  problemsOf,
  SANDBOX,
  SHIPPED,
  shippedValues,
  type Step,
  withValue,
} from './configuration-example.js';

const NAME: Step[] = ['products', 0, 'displayName'];
const CLAUSE: Step[] = ['lenders', 0, 'recoveryAgentsClause'];
const CHARGE: Step[] = ['lenders', 0, 'products', 'ONLINE_PERSONAL', 'contingentCharges', 0];
const DESCRIPTION =
  '2% a month of the overdue instalment, plus GST; it is never added to the principal';

function configurationOf(given: string | object) {
  const { value, problems } = check(given);
  expect(problems).toEqual([]);
  return value!;
}

function lenderTermsOf(section: LenderSection) {
  return lendersOf([section], { clientKey: String, payment: String })[0].terms;
}

describe('a text that applicants read', () => {
  it.each([
    ['a text alone', 'Personal loan'],
    ['English alone, by language', { en: 'Personal loan' }],
    ['two languages', { en: 'Personal loan', hi: 'पर्सनल लोन' }],
  ])('is taken as %s', (_, text) => {
    expect(problemsOf(withValue(NAME, text))).toEqual([]);
  });

  it.each([
    ['no English', { hi: 'पर्सनल लोन' }],
    ['a language that is not spoken', { en: 'Personal loan', xx: 'Loan' }],
    ['a text of 201 characters', { en: 'Personal loan', hi: 'ल'.repeat(201) }],
    ['a control character', { en: 'Personal loan', hi: 'पर्सनल\nलोन' }],
    ['a number', { en: 'Personal loan', hi: 7 }],
  ])('is not taken with %s', (_, text) => {
    expect(problemsOf(withValue(NAME, text))).toEqual([
      expect.stringMatching(/^products\[0\]\.displayName must be text of 1 to 200 characters/),
    ]);
  });

  it('is trimmed, and kept in English with its other languages beside it', () => {
    const { products } = configurationOf(
      withValue(NAME, { en: ' Personal loan ', hi: ' पर्सनल लोन ' }),
    );
    expect(productsOf(products)[0]).toMatchObject({
      displayName: 'Personal loan',
      texts: { hi: { 'Personal loan': 'पर्सनल लोन' } },
    });
    const [blank] = configurationOf(withValue(NAME, { en: 'Loan', hi: ' ' })).products;
    expect(blank.displayName).toEqual({ en: 'Loan', others: {} });
  });

  it.each([
    ['an alone', 'Clause 1', undefined],
    ['by language', { en: 'Clause 1', hi: 'खंड 1' }, 'खंड 1'],
  ])("is kept with its lender's terms: %s", (_, text, hindi) => {
    const terms = lenderTermsOf(configurationOf(withValue(CLAUSE, text)).lenders[0]);
    expect(terms.recoveryAgentsClause).toBe('Clause 1');
    expect(terms.texts?.hi?.['Clause 1']).toBe(hindi);
    expect(terms.products.ONLINE_PERSONAL.contingentCharges[0]).toEqual({
      name: 'Late payment',
      description: DESCRIPTION,
    });
    expect(terms.texts?.hi).toMatchObject({ 'Late payment': 'किस्त देर से चुकाना' });
  });

  it('of a lender that has no other language leaves its terms as they were before there were any', () => {
    const { lenders } = JSON.parse(
      JSON.stringify(shippedValues()).replaceAll(/\{"en":("[^"]*"),"hi":"[^"]*"\}/g, '$1'),
    ) as { lenders: unknown[] };
    const terms = lenderTermsOf(configurationOf(withValue(['lenders'], lenders)).lenders[0]);
    expect(terms).not.toHaveProperty('texts');
  });

  it('is said in one way wherever a lender has the same English', () => {
    const last: Step[] = ['lenders', 0, 'products', 'ONLINE_INSTANT', ...CHARGE.slice(4)];
    const text = { en: 'Late payment', hi: 'देर' };
    expect(problemsOf(withValue([...last, 'name'], text))).toEqual([
      'lenders[0].products.ONLINE_INSTANT.contingentCharges[0].name.hi must be the same ' +
        'for the same English text: “किस्त देर से चुकाना” was given before',
    ]);
  });
});

describe('the notes about a file', () => {
  const notesOf = (given: string | object) => configurationNotes(configurationOf(given), SANDBOX);

  it('name each text that a language lacks', () => {
    expect(notesOf(withValue(NAME, 'Personal loan'))).toEqual([
      'applicants see the English text where hi is missing: products[0].displayName',
    ]);
    expect(notesOf(withValue([...CHARGE, 'description'], 'A charge'))).toEqual([
      expect.stringMatching(
        /where hi is missing: .*ONLINE_PERSONAL\.contingentCharges\[0\]\.description$/,
      ),
    ]);
    expect(notesOf(SHIPPED)).toEqual([]);
  });
});
