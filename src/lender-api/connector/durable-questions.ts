import { isRedirectStep, type RedirectStep } from '../../journey-steps/index.js';
import {
  known,
  type LenderAnswer,
  type LenderOffer,
  type LenderQuestion,
  type QuestionKind,
  type Refusal,
} from '../../lenders/index.js';
import type { PostedQuestionName, RequestOf, VerdictOf } from '../protocol/questions.js';
import { isRefused, offerOf } from './offers-of.js';
import * as requests from './requests-of.js';

interface DurableQuestion<Name extends PostedQuestionName = PostedQuestionName> {
  readonly name: Name;
  request(question: LenderQuestion): RequestOf<Name>;
  /** Null for evidence of another step. */
  answer(verdict: VerdictOf<Name>): LenderAnswer | null;
}

const form = <Name extends PostedQuestionName>(question: DurableQuestion<Name>) => question;

const FORMS: Readonly<Record<Exclude<QuestionKind, RedirectStep>, DurableQuestion>> = {
  OFFERS: form({
    name: 'OFFERS',
    request: requests.offersRequest,
    answer: offersAnswer,
  }),
  DISBURSEMENT: form({
    name: 'DISBURSEMENTS',
    request: requests.disbursementsRequest,
    answer: (verdict) => {
      if (verdict.verdict === 'REFUSED') return { kind: 'REFUSED', ...refusalOf(verdict) };
      const { amount, paidAt, utr, loanReference, accountLastFour } = verdict;
      const paid = { amount, paidAt, transferReference: utr, loanReference, accountLastFour };
      return { kind: 'PAID', ...paid };
    },
  }),
  DECISION: form({
    name: 'DECISIONS',
    request: requests.decisionsRequest,
    answer: (verdict) =>
      verdict.verdict === 'DECLINED'
        ? { kind: 'DECLINED', ...refusalOf(verdict) }
        : { kind: 'SANCTIONED', reference: verdict.loanReference },
  }),
  WITHDRAWAL: form({
    name: 'WITHDRAWALS',
    request: requests.withdrawalsRequest,
    answer: ({ verdict }) => ({ kind: verdict }),
  }),
};

export function durableQuestion(kind: QuestionKind): DurableQuestion {
  return isRedirectStep(kind) ? stepQuestion(kind) : FORMS[kind];
}

/** A lender may use one id for two questions. */
export function answerIdOf(
  questionId: string,
  { answerId }: { readonly answerId: string },
): string {
  return `${questionId}/${answerId}`;
}

export function refusalOf({ reason, detail }: { reason: string; detail?: string }): Refusal {
  return known({ reason, detail });
}

function stepQuestion(step: RedirectStep): DurableQuestion<'STEPS'> {
  return {
    name: 'STEPS',
    request: (question) => requests.stepsRequest(question, step),
    answer: (verdict) => {
      if (verdict.verdict !== 'PASSED') return { kind: verdict.verdict, ...refusalOf(verdict) };
      const { step: passed, ...evidence } = verdict.evidence;
      if (passed !== step) return null;
      return { kind: 'PASSED', evidence: { passedAt: verdict.passedAt, ...evidence } };
    },
  };
}

/** The first offer with a reference counts. */
function offersAnswer(verdict: VerdictOf<'OFFERS'>): LenderAnswer {
  if (verdict.verdict === 'DECLINED') return { kind: 'DECLINED', ...refusalOf(verdict) };
  const { offers: stated } = verdict;
  const once = stated.filter(
    ({ reference }, index) => stated.findIndex((one) => one.reference === reference) === index,
  );
  const read = once.map((offer) => offerOf(offer));
  const refused = read.filter(isRefused);
  const offers = read.filter((offer): offer is LenderOffer => !isRefused(offer));
  return { kind: 'OFFERED', offers, ...(refused.length > 0 && { refused }) };
}
