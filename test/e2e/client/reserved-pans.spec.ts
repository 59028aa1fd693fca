import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SANDBOX_PANS } from '../../../clients/node/src/testing.js';
import type { Books } from '../../../examples/lender/books.ts';
import { type Fields, FieldReader } from '../../../examples/lender/fields.ts';
import type { Decide, Lender, Outcome } from '../../../examples/lender/question.ts';
import { loanFigures } from '../../../examples/lender/loan-figures.ts';
import { decideInstantLoan } from '../../../examples/lender/questions/decision.ts';
import { decideOffers } from '../../../examples/lender/questions/offers.ts';
import { decideDisbursement } from '../../../examples/lender/questions/payout.ts';
import { decideStep } from '../../../examples/lender/questions/steps.ts';
import { REDIRECT_STEPS } from '../../../src/journey-steps/index.js';
import { projectPath } from '../../../src/platform/index.js';
import { type ReservedPan, RESERVED_PANS } from '../../../src/sandbox/reserved-pans.js';
import { shippedTerms } from '../../support/reference-lenders.js';

it('is the list that docs/partners/testing.md shows', () => {
  const rows = readFileSync(projectPath('docs/partners/testing.md'), 'utf8').matchAll(
    /^\| `(SANDX\d{4}A)` \| (.+?) +\|/gm,
  );
  const shown = [...rows].map(([, pan, happens]) => ({ pan, happens }));
  expect(shown).toEqual(RESERVED_PANS.map(({ pan, happens }) => ({ pan, happens })));
});

it('is the list that the client has', () => {
  expect(Object.values(SANDBOX_PANS)).toEqual(RESERVED_PANS.map(({ pan }) => pan));
});

/** The example lender's verdict, or how long it waits. */
function wordOf(outcome: Outcome): string {
  if (outcome.kind === 'VERDICT') return outcome.verdict.verdict;
  return outcome.kind === 'WAITS_FOR_LENDER'
    ? `${outcome.dueAt.getTime() / 1_000} s`
    : outcome.kind;
}

/** The verdicts of the example's first lender, and of the last one where they differ. */
function answersTo(pan: string) {
  const [terms] = shippedTerms();
  const offer = {
    applicationId: 'app',
    principal: 20_000_000,
    terms: terms.products.ONLINE_PERSONAL,
  };
  const { netPayout } = loanFigures(offer.terms, offer.principal)!;
  const hash = { keyFactsHash: 'd'.repeat(64) };
  const books = {
    world: { now: () => new Date(0), newId: () => 'new' },
    applications: {
      open: () => {},
      enquire: () => {},
      addOffer: () => {},
      offer: () => offer,
      find: () => ({ pan, accountLastFour: '8901' }),
    },
    selections: { find: () => ({ ...hash, offerReference: 'off', amount: offer.principal }) },
    sessions: { byStep: () => null, covering: () => null },
    passedSteps: { find: () => ({}), pass: () => ({}) },
    loans: { ofApplication: () => null, open: () => ({}) },
  } as unknown as Books;
  const ask = (
    decide: (books: Books, question: Parameters<Decide>[0]) => Outcome,
    {
      timesAsked = 1,
      isLast = false,
      ...more
    }: Fields & { timesAsked?: number; isLast?: boolean } = {},
  ) => {
    const lender = { ...terms, position: Number(isLast), isLast, passesUnvisitedSteps: true };
    const body = new FieldReader({
      applicationId: 'app',
      stepReference: 'rdr',
      productCode: 'ONLINE_PERSONAL',
      subject: { kind: 'JOURNEY' },
      loanAmount: offer.principal,
      netPayout,
      ...hash,
      applicant: { mobile: '9876543210', pan },
      consent: { givenBy: 'PARTNER', givenAt: '2026-11-30T00:00:00Z' },
      ...more,
    });
    const asked = { key: 'qst', askedAt: new Date(0), timesAsked, keyFactsSignature: '' };
    return wordOf(decide(books, { ...asked, lender: lender as unknown as Lender, body }));
  };
  const step = (name: string) =>
    [1, 2].map((attempt) => ask(decideStep, { step: name, attempt, offerReference: 'off' }));
  return {
    offers: [ask(decideOffers), ask(decideOffers, { isLast: true })],
    thirdTime: ask(decideOffers, { timesAsked: 3 }),
    ...Object.fromEntries(REDIRECT_STEPS.map((name) => [name, step(name)])),
    payout: ask(decideDisbursement, { offerReference: 'off' }),
    decision: ask(decideInstantLoan),
  };
}

const ORDINARY = {
  offers: ['OFFERED', 'OFFERED'],
  thirdTime: 'OFFERED',
  KYC: ['PASSED', 'PASSED'],
  MANDATE: ['PASSED', 'PASSED'],
  ESIGN: ['PASSED', 'PASSED'],
  payout: '1 s',
  decision: 'SANCTIONED',
};
const LATER = ['10 s', '10 s'];

const ANSWERS: Record<ReservedPan['outcome'], Partial<typeof ORDINARY>> = {
  EVERY_LENDER_DECLINES: {
    offers: ['DECLINED', 'DECLINED'],
    thirdTime: 'DECLINED',
    decision: 'DECLINED',
  },
  SLOW_LENDERS: { offers: ['10 s', '5 s'], thirdTime: '10 s', decision: '10 s' },
  ONE_OFFER: { offers: ['OFFERED', 'DECLINED'] },
  KYC_FAILS_ONCE: { KYC: ['FAILED', 'PASSED'] },
  KYC_REFUSED: { KYC: ['REFUSED', 'REFUSED'] },
  MANDATE_FAILS_ONCE: { MANDATE: ['FAILED', 'PASSED'] },
  ESIGN_REFUSED: { ESIGN: ['REFUSED', 'REFUSED'] },
  SLOW_DISBURSEMENT: { payout: '30 s' },
  LENDERS_FAIL_TWICE: { offers: ['UNAVAILABLE', 'UNAVAILABLE'], decision: 'UNAVAILABLE' },
  PAYMENT_FAILS: {},
  SMS_DOWN: {},
  SLOW_PROVIDERS: { KYC: LATER, MANDATE: LATER, ESIGN: LATER },
  DECISION_DECLINED: { decision: 'DECLINED' },
};

it.each(RESERVED_PANS)('has the example’s lenders do what $pan is for', ({ pan, outcome }) => {
  expect(answersTo(pan)).toEqual({ ...ORDINARY, ...ANSWERS[outcome] });
});
