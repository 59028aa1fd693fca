import type { RedirectStep } from '../../journey-steps/index.js';
import type {
  AccountRequest,
  EligibilityRequest,
  LenderApplicant,
  LenderQuestion,
  QuestionPayload,
  QuoteRequest,
  SelectRequest,
  SessionRequest,
} from '../../lenders/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import { asPlainText } from '../../platform/index.js';
import { LenderCallFailed } from '../client/lender-call-metrics.js';
import type { RequestOf } from '../protocol/questions.js';

type ProtocolApplicant = RequestOf<'OFFERS'>['applicant'];

const TEXTS = [
  'fullName',
  'firstName',
  'lastName',
  'dob',
  'companyName',
  'udyamNumber',
  'pinCode',
  'city',
  'state',
  'addressL1',
  'addressL2',
  'personalEmail',
  'officialEmail',
  'endUse',
] as const;
const EMPLOYMENT_TYPES: Readonly<Record<string, 'SALARIED' | 'SELF_EMPLOYED'>> = {
  salaried: 'SALARIED',
  selfEmployed: 'SELF_EMPLOYED',
};
const GENDERS = ['MALE', 'FEMALE', 'OTHER'] as const;

/** Incomes are stored in rupees and sent in paise. */
function protocolApplicant(applicant: LenderApplicant): ProtocolApplicant {
  const { mobile, pan, gender, employmentType, monthlyIncome, annualIncome } = applicant;
  return {
    mobile,
    pan,
    ...Object.fromEntries(TEXTS.map((name) => [name, textOf(applicant[name])])),
    monthlyIncome: paiseOf(monthlyIncome),
    annualIncome: paiseOf(annualIncome),
    gender: GENDERS.find((one) => one === gender),
    employmentType:
      typeof employmentType === 'string'
        ? (EMPLOYMENT_TYPES[employmentType] ?? 'OTHER')
        : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? asPlainText(value) || undefined : undefined;
}

function paiseOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? rupeesToPaise(value) : undefined;
}

type Asked = Pick<LenderQuestion, 'id' | 'subjectId' | 'reference' | 'payload' | 'askedAt'>;

export function offersRequest(question: Asked): RequestOf<'OFFERS'> {
  const { gold, loanAmount, applicant, usefulUntil, consent } = question.payload;
  return {
    ...openingOf(question.id, question),
    usefulUntil: given(usefulUntil, 'usefulUntil'),
    loanAmount,
    applicant: protocolApplicant(applicant),
    consent: given(consent, 'consent'),
    gold: gold && { grams: gold.grams, items: gold.jewelleryList.map(asPlainText) },
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
    accountLastFour: payload.bankAccount?.accNo.slice(-4),
    feePaid: protocolFee(payload),
  };
}

export function decisionsRequest(question: Asked): RequestOf<'DECISIONS'> {
  const { loanAmount, applicant, consent, feePaid, ...payload } = question.payload;
  return {
    ...openingOf(question.id, question),
    loanAmount,
    applicant: protocolApplicant(applicant),
    consent: given(consent, 'consent'),
    offerReference: payload.offerReference,
    keyFactsHash: payload.keyFactsHash,
    acknowledgement: payload.acknowledgement,
    feePaid: protocolFee({ feePaid }),
  };
}

function protocolFee({ feePaid }: Pick<QuestionPayload, 'feePaid'>) {
  return feePaid && { ...feePaid, gatewayPaymentId: feePaid.gatewayPaymentId ?? undefined };
}

export function withdrawalsRequest(question: Asked): RequestOf<'WITHDRAWALS'> {
  const { withdrawal, offerReference, applicationReference } = question.payload;
  const { reason, refusedOffers } = given(withdrawal, 'withdrawal');
  return {
    ...openingOf(question.id, question),
    reason,
    offerReference,
    applicationReference,
    refusedOffers: refusedOffers as RequestOf<'WITHDRAWALS'>['refusedOffers'],
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
    branchReference,
    acknowledgement,
  };
}

export function eligibilitiesRequest(request: EligibilityRequest): RequestOf<'ELIGIBILITIES'> {
  const { idempotencyKey: questionId, question } = request;
  return { questionId, ...question, employmentType: EMPLOYMENT_TYPES[question.employmentType] };
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
  return {
    ...openingOf(request.idempotencyKey, request),
    ...chosenOf(payload),
    ...attemptOf(request, step),
    returnUrl,
    branchReference: payload.branchReference,
    acknowledgement: given(payload.acknowledgement, 'acknowledgement'),
  };
}

function openingOf(
  questionId: string,
  { subjectId, payload }: { subjectId: string; payload: QuestionPayload },
) {
  const { subjectKind, applicationId, productCode, usefulUntil } = payload;
  const id = subjectKind === 'INSTANT_LOAN' ? applicationId : subjectId;
  const subject = { kind: subjectKind, id };
  return { questionId, subject, applicationId, productCode, usefulUntil };
}

function chosenOf({ offerReference, applicationReference }: QuestionPayload) {
  return { offerReference: given(offerReference, 'offerReference'), applicationReference };
}

function attemptOf(
  { reference, payload }: { reference: string; payload: QuestionPayload },
  step: RedirectStep,
) {
  return { step, stepReference: reference, attempt: payload.stepAttempt ?? 1 };
}

function given<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new LenderCallFailed('invalid_question', `the question lacks ${name}`);
}
