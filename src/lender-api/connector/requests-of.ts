import { isRedirectStep, type RedirectStep } from '../../journey-steps/index.js';
import type {
  AccountRequest,
  LenderQuestion,
  QuestionPayload,
  QuoteRequest,
  SelectRequest,
  SessionRequest,
} from '../../lenders/index.js';
import { asPlainText } from '../../platform/index.js';
import type { RequestOf } from '../protocol/questions.js';
import { LenderCallFailed } from '../client/lender-call-failed.js';
import { toldApplicant } from './applicant-told.js';

type Asked = Pick<LenderQuestion, 'id' | 'subjectId' | 'reference' | 'payload' | 'askedAt'>;

export function offersRequest(question: Asked): RequestOf<'OFFERS'> {
  const { payload } = question;
  const { gold, loanAmount, applicant } = payload;
  return {
    ...openingOf(question.id, question),
    usefulUntil: given(payload.usefulUntil, 'usefulUntil'),
    loanAmount,
    applicant: toldApplicant(applicant),
    consent: given(payload.consent, 'consent'),
    ...(gold && { gold: { grams: gold.grams, items: gold.jewelleryList.map(asPlainText) } }),
  };
}

export function stepsRequest(question: Asked, step: RedirectStep): RequestOf<'STEPS'> {
  return {
    ...openingOf(question.id, question),
    ...chosenOf(question.payload),
    ...attemptOf(question, step),
  };
}

export function disbursementsRequest(question: Asked): RequestOf<'DISBURSEMENTS'> {
  const { payload } = question;
  return {
    ...openingOf(question.id, question),
    ...chosenOf(payload),
    loanAmount: payload.loanAmount,
    netPayout: given(payload.netDisbursed, 'netDisbursed'),
    keyFactsHash: given(payload.keyFactsHash, 'keyFactsHash'),
    ...(payload.bankAccount && { accountLastFour: payload.bankAccount.accNo.slice(-4) }),
  };
}

export function decisionsRequest(question: Asked): RequestOf<'DECISIONS'> {
  const { payload } = question;
  const { loanAmount, applicant, offerReference, keyFactsHash, acknowledgement } = payload;
  const { feePaid } = payload;
  return {
    ...openingOf(question.id, question),
    loanAmount,
    applicant: toldApplicant(applicant),
    consent: given(payload.consent, 'consent'),
    ...(offerReference !== undefined && { offerReference }),
    ...(keyFactsHash !== undefined && { keyFactsHash }),
    ...(acknowledgement && { acknowledgement }),
    ...(feePaid && {
      feePaid: {
        amount: feePaid.amount,
        paidAt: feePaid.paidAt,
        ...(feePaid.gatewayPaymentId !== null && { gatewayPaymentId: feePaid.gatewayPaymentId }),
      },
    }),
  };
}

export function withdrawalsRequest(question: Asked): RequestOf<'WITHDRAWALS'> {
  const { withdrawal, offerReference, applicationReference } = question.payload;
  const refusedOffers = withdrawal?.refusedOffers;
  return {
    ...openingOf(question.id, question),
    reason: given(withdrawal, 'withdrawal').reason,
    ...(offerReference !== undefined && { offerReference }),
    ...(applicationReference !== undefined && { applicationReference }),
    ...(refusedOffers && {
      refusedOffers: refusedOffers as RequestOf<'WITHDRAWALS'>['refusedOffers'],
    }),
  };
}

export function quotesRequest(request: QuoteRequest): RequestOf<'QUOTES'> {
  const { idempotencyKey, offerReference, principal } = request;
  return { ...openingOf(idempotencyKey, request), offerReference, loanAmount: principal };
}

export function selectionsRequest(request: SelectRequest): RequestOf<'SELECTIONS'> {
  const { idempotencyKey, offerReference, loanAmount, keyFactsHash, payload } = request;
  const { branchReference, acknowledgement } = payload;
  return {
    ...openingOf(idempotencyKey, request),
    offerReference,
    loanAmount,
    keyFactsHash,
    ...(branchReference !== undefined && { branchReference }),
    ...(acknowledgement && { acknowledgement }),
  };
}

export function accountsRequest(request: AccountRequest): RequestOf<'ACCOUNTS'> {
  const { accHolderName, acctype, accNo, ifscCode } = request.account;
  return {
    ...openingOf(request.idempotencyKey, request),
    ...chosenOf(request.payload),
    account: {
      holderName: asPlainText(accHolderName),
      type: acctype,
      number: accNo,
      ifsc: ifscCode,
    },
  };
}

export function sessionsRequest(request: SessionRequest): RequestOf<'SESSIONS'> {
  const { payload, returnUrl, step } = request;
  const { branchReference } = payload;
  return {
    ...openingOf(request.idempotencyKey, request),
    ...chosenOf(payload),
    ...attemptOf(request, step),
    returnUrl,
    ...(branchReference !== undefined && { branchReference }),
    acknowledgement: given(payload.acknowledgement, 'acknowledgement'),
  };
}

/** The step that a question asks about; null for one that asks about none. */
export function stepOf(kind: LenderQuestion['kind']): RedirectStep | null {
  return isRedirectStep(kind) ? kind : null;
}

function openingOf(
  questionId: string,
  { subjectId, payload }: { subjectId: string; payload: QuestionPayload },
) {
  const { subjectKind, applicationId, productCode, usefulUntil } = payload;
  return {
    questionId,
    subject: { kind: subjectKind, id: subjectId },
    applicationId,
    productCode,
    ...(usefulUntil !== undefined && { usefulUntil }),
  };
}

function chosenOf({ offerReference, applicationReference }: QuestionPayload) {
  return {
    offerReference: given(offerReference, 'offerReference'),
    ...(applicationReference !== undefined && { applicationReference }),
  };
}

function attemptOf(
  { reference, payload }: { reference: string; payload: QuestionPayload },
  step: RedirectStep,
) {
  return { step, stepReference: reference, attempt: payload.stepAttempt ?? 1 };
}

/** What the protocol demands of this question; a payload has it in some questions only. */
function given<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new LenderCallFailed('invalid_question', `the question lacks ${name}`);
}
