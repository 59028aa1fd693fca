import { type RedirectStep, STEP_QUESTIONS } from '../journey-steps/index.js';
import type { ClaimedFigures, Paise } from '../loans/index.js';
import type {
  ContingentCharge,
  EmploymentType,
  Lender,
  LenderBranch,
  OwnTexts,
  StepProvider,
  UnpaidCharge,
} from '../settings/index.js';
import type { BankAccount, QuestionPayload, RefusedOffer, SentBody } from './question-payload.js';

/**
 * A lender may answer now, later (by poll or callback), twice, or never. Each question's id is an idempotency key, so
 * it can be asked again.
 */
export interface LenderConnector {
  readonly adapter: string;

  ask(question: LenderQuestion): Promise<LenderReply>;

  /** @returns null when the lender withdrew the offer, `DIFFERS` for another kind of loan */
  quote(request: QuoteRequest): Promise<LenderOffer | 'DIFFERS' | null>;

  select(request: SelectRequest): Promise<SelectionVerdict>;

  verifyAccount(request: AccountRequest): Promise<AccountVerdict>;

  openSession(request: SessionRequest): Promise<SessionVerdict>;

  /** Never causes a credit enquiry. Absent: only published rules say. */
  eligibility?(request: EligibilityRequest): Promise<Eligibility>;

  /** The provider of every step; absent: as configured. */
  readonly provider?: ShownProvider;
}

export const LENDER_CONNECTORS = Symbol('lender connectors');

export const QUESTION_KINDS = [...STEP_QUESTIONS, 'WITHDRAWAL'] as const;

export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** Replaces the round in the reference when a lender sends a changed offer unasked. */
export const REVISED_OFFER = 'revised';

export type CallKind = QuestionKind | 'QUOTE' | 'SELECTION' | 'ACCOUNT' | 'SESSION' | 'ELIGIBILITY';

export function questionId(subjectId: string, kind: CallKind, reference: string): string {
  return `${subjectId}:${kind}:${reference}`;
}

export interface CallNames {
  /** As sent to the lender; a connector may lengthen it. */
  question: string;
  traceparent?: string;
}

export interface LenderQuestion {
  readonly id: string;
  readonly names?: CallNames;
  readonly lender: Lender;
  readonly kind: QuestionKind;
  readonly partnerId: string;
  readonly subjectId: string;
  /** The offer request's number, or the redirect's id. */
  readonly reference: string;
  readonly attemptsBefore: number;
  readonly askedAt: Date;
  readonly payload: QuestionPayload;
  readonly sent?: SentBody;
}

export type LenderReply =
  | { readonly status: 'ANSWERED'; readonly answerId: string; readonly answer: LenderAnswer }
  | {
      readonly status: 'PENDING';
      readonly askAgainInMs?: number;
      /** Of a redirect step: the provider waits for the applicant. Absent: the provider decides. */
      readonly isSessionOpen?: boolean;
    };

export interface Refusal {
  readonly reason: string;
  /** In the lender's words, which may name the applicant. */
  readonly detail?: string;
}

/** Proof of a passed redirect step; no personal data. */
export interface StepEvidence {
  /** ISO 8601. */
  readonly passedAt: string;
  readonly kycReference?: string;
  readonly mandateReference?: string;
  /** SHA-256 (hex). */
  readonly documentHash?: string;
}

export type LenderAnswer =
  | {
      readonly kind: 'OFFERED';
      readonly offers: readonly LenderOffer[];
      /** Offers that the port cannot represent, or that are inconsistent. */
      readonly refused?: readonly RefusedOffer[];
    }
  | ({ readonly kind: 'DECLINED' } & Refusal)
  | { readonly kind: 'PASSED'; readonly evidence?: StepEvidence }
  | ({ readonly kind: 'FAILED' } & Refusal)
  | ({ readonly kind: 'REFUSED' } & Refusal)
  | {
      readonly kind: 'PAID';
      /** ISO 8601. */
      readonly paidAt: string;
      readonly amount: Paise;
      readonly transferReference: string;
      readonly loanReference?: string;
      readonly accountLastFour?: string;
    }
  | {
      readonly kind: 'SANCTIONED';
      readonly reference: string;
    }
  | { readonly kind: 'NOTED' }
  /** Added by this service: calls to the lender are suspended. */
  | { readonly kind: 'UNREACHABLE' };

export function answerAmount(answer: LenderAnswer): { readonly amount?: Paise } {
  if (answer.kind === 'PAID') return { amount: answer.amount };
  const [offer] = answer.kind === 'OFFERED' ? answer.offers : [];
  return offer ? { amount: offer.principal } : {};
}

/** With the lender's figures, which are recomputed before use. */
export interface LenderOffer extends Readonly<ClaimedFigures> {
  readonly reference: string;
  readonly minimumAmount: Paise;
  /** ISO 8601. */
  readonly validUntil: string;
  readonly collateralExplanation: string | null;
  /** Translations, by the English text. */
  readonly texts?: OwnTexts;
  readonly maximumAmount?: Paise;
  /** Absent: as in the lender's configured terms; also the next two. */
  readonly contingentCharges?: readonly OfferedCharge[];
  readonly coolingOffDays?: number;
  readonly branches?: readonly OfferedBranch[];
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
}

export interface OfferedCharge extends ContingentCharge {
  readonly ifUnpaid?: Omit<UnpaidCharge, 'name'>;
}

/** Identified by the lender's own reference. */
type OfferedBranch = Omit<LenderBranch, 'id' | 'reference'> & { readonly reference: string };

export interface CoLender {
  readonly name: string;
  /** Percent of the principal. */
  readonly sharePercent: number;
}

/** Decimals as the lender wrote them. */
export interface GoldValuation {
  readonly value: Paise;
  readonly purityKarat: string;
  readonly netWeightGrams: string;
  readonly pricePerGram: Paise;
  readonly ltvPercent: string;
}

interface DirectRequest {
  readonly idempotencyKey: string;
  readonly names?: CallNames;
  readonly lender: Lender;
  readonly subjectId: string;
  /** For a question that binds the lender. */
  readonly sent?: SentBody;
}

export interface QuoteRequest extends DirectRequest {
  readonly offerReference: string;
  readonly principal: Paise;
  readonly payload: QuestionPayload;
}

export interface SelectRequest extends DirectRequest {
  readonly offerReference: string;
  readonly loanAmount: Paise;
  /** SHA-256 (hex). */
  readonly keyFactsHash: string;
  readonly payload: QuestionPayload;
}

export type GoneReason = 'EXPIRED' | 'AMOUNT_OUT_OF_RANGE' | 'WITHDRAWN' | 'OTHER';

export type SelectionVerdict =
  | {
      readonly kind: 'ACCEPTED';
      /** The lender's own, sent with later questions. */
      readonly applicationReference: string;
      /** The lender's compact JWS over the statement's hash, if it signs. */
      readonly keyFactsSignature?: string;
    }
  | { readonly kind: 'GONE'; readonly reason: GoneReason };

export interface AccountRequest extends DirectRequest {
  readonly account: BankAccount;
  readonly payload: QuestionPayload;
}

export type AccountVerdict =
  | { readonly kind: 'ACCEPTED' }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | { readonly kind: 'REFUSED_FOR_GOOD'; readonly reason: string };

export interface SessionRequest extends DirectRequest {
  readonly step: RedirectStep;
  readonly partnerId: string;
  readonly reference: string;
  readonly payload: QuestionPayload;
  readonly returnUrl: string;
}

/** Identifies no applicant. */
export interface EligibilityQuestion {
  readonly productCode: string;
  readonly loanAmount: Paise;
  readonly pinCode: string;
  readonly employmentType: EmploymentType;
  readonly monthlyIncome: Paise;
}

export interface EligibilityRequest extends DirectRequest {
  readonly question: EligibilityQuestion;
}

export const ELIGIBILITY_VERDICTS = ['LIKELY', 'UNLIKELY', 'UNKNOWN'] as const;

export const ELIGIBILITY_REASONS = [
  'AMOUNT',
  'INCOME',
  'EMPLOYMENT',
  'LOCATION',
  'POLICY',
  'OTHER',
] as const;

interface LikelyRange {
  readonly min: number;
  readonly max: number;
}

export interface Eligibility {
  readonly verdict: (typeof ELIGIBILITY_VERDICTS)[number];
  readonly reasons?: readonly (typeof ELIGIBILITY_REASONS)[number][];
  /** Paise. */
  readonly amount?: LikelyRange;
  readonly annualRatePercent?: LikelyRange;
  readonly tenureMonths?: LikelyRange;
}

export type ShownProvider = Readonly<Pick<StepProvider, 'name' | 'host'>>;

export type SessionVerdict =
  | {
      readonly kind: 'OPENED';
      readonly url: string;
      /** ISO 8601; absent: usable while the step is open. */
      readonly expiresAt?: string;
      /** The steps that this visit can pass, including the requested one. */
      readonly covers: readonly RedirectStep[];
    }
  | ({ readonly kind: 'REFUSED'; readonly answerId: string } & Refusal);
