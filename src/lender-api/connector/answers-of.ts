import type { LenderAnswer, LenderOffer, Refusal, StepEvidence } from '../../lenders/index.js';
import type { VerdictOf } from '../protocol/questions.js';
import { type ChargesDue, isRefused, offerOf } from './offers-of.js';

/** Under the question: a lender that gives two answers one id loses neither. */
export function answerIdOf(
  questionId: string,
  { answerId }: { readonly answerId: string },
): string {
  return `${questionId}/${answerId}`;
}

/** What a verdict says in the port's words, whichever way it came: as an answer or by callback. */
export const ANSWERS_OF = {
  OFFERS: (verdict: VerdictOf<'OFFERS'>): LenderAnswer => offersAnswer(verdict, 'AT_PAYOUT'),

  INSTANT_OFFERS: (verdict: VerdictOf<'OFFERS'>): LenderAnswer =>
    offersAnswer(verdict, 'BEFORE_PAYOUT'),

  STEPS: (verdict: VerdictOf<'STEPS'>): LenderAnswer =>
    verdict.verdict === 'PASSED'
      ? { kind: 'PASSED', evidence: evidenceOf(verdict) }
      : { kind: verdict.verdict, ...refusalOf(verdict) },

  DISBURSEMENTS: (verdict: VerdictOf<'DISBURSEMENTS'>): LenderAnswer => {
    if (verdict.verdict === 'REFUSED') return { kind: 'REFUSED', ...refusalOf(verdict) };
    const { amount, paidAt, utr, loanReference, accountLastFour } = verdict;
    return {
      kind: 'PAID',
      amount,
      paidAt,
      transferReference: utr,
      loanReference,
      accountLastFour,
    };
  },

  DECISIONS: (verdict: VerdictOf<'DECISIONS'>): LenderAnswer =>
    verdict.verdict === 'DECLINED'
      ? declined(verdict)
      : { kind: 'SANCTIONED', reference: verdict.loanReference },

  WITHDRAWALS: ({ verdict }: VerdictOf<'WITHDRAWALS'>): LenderAnswer => ({ kind: verdict }),
} as const;

/** Why not, in the port's words: those that are left out stay away. */
export function refusalOf({ reason, detail }: { reason: string; detail?: string }): Refusal {
  return { reason, ...(detail !== undefined && { detail }) };
}

function offersAnswer(verdict: VerdictOf<'OFFERS'>, chargesDue: ChargesDue): LenderAnswer {
  return verdict.verdict === 'DECLINED' ? declined(verdict) : offered(verdict.offers, chargesDue);
}

function declined(verdict: { reason: string; detail?: string }): LenderAnswer {
  return { kind: 'DECLINED', ...refusalOf(verdict) };
}

type Passed = Extract<VerdictOf<'STEPS'>, { verdict: 'PASSED' }>;

function evidenceOf({ passedAt, evidence: { step: _step, ...evidence } }: Passed): StepEvidence {
  return { passedAt, ...evidence };
}

type ToldOffers = Extract<VerdictOf<'OFFERS'>, { verdict: 'OFFERED' }>['offers'];

/** Each offer once, by its reference: the first counts. */
function offered(told: ToldOffers, chargesDue: ChargesDue): LenderAnswer {
  const once = told.filter(
    ({ reference }, index) => told.findIndex((one) => one.reference === reference) === index,
  );
  const read = once.map((offer) => offerOf(offer, chargesDue));
  const refused = read.filter(isRefused);
  const offers = read.filter((offer): offer is LenderOffer => !isRefused(offer));
  return { kind: 'OFFERED', offers, ...(refused.length > 0 && { refused }) };
}
