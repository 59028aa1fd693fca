import { type RedirectStep, STEP_QUESTIONS } from '../journey-steps/index.js';
import type { FeeCharge, Paise } from '../loans/index.js';
import type {
  ContingentCharge,
  Lender,
  LenderBranch,
  OwnTexts,
  StepProvider,
  UnpaidCharge,
} from '../settings/index.js';
import type { BankAccount, QuestionPayload, RefusedOffer, SentBody } from './question-payload.js';

/**
 * What a lender can be asked, over a network: every question may be answered now, later (by poll or callback), twice,
 * or fail. Its id is an idempotency key, so asking again is safe.
 */
export interface LenderConnector {
  readonly adapter: string;

  ask(question: LenderQuestion): Promise<LenderReply>;

  /** Quotes another amount; null when the lender no longer stands by the offer, `DIFFERS` for another kind of loan. */
  quote(request: QuoteRequest): Promise<LenderOffer | 'DIFFERS' | null>;

  /** Whether the lender accepts the choice of an offer. */
  select(request: SelectRequest): Promise<SelectionVerdict>;

  verifyAccount(request: AccountRequest): Promise<AccountVerdict>;

  openSession(request: SessionRequest): Promise<SessionVerdict>;

  /** The provider of every step; left out: as configured. */
  readonly provider?: ShownProvider;
}

export const LENDER_CONNECTORS = Symbol('lender connectors');

export const QUESTION_KINDS = [...STEP_QUESTIONS, 'WITHDRAWAL'] as const;

export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** In place of a round: the answer to `OFFERS` is the lender's unasked replacement of the chosen offer. */
export const REVISED_OFFER = 'revised';

export type CallKind = QuestionKind | 'QUOTE' | 'SELECTION' | 'ACCOUNT' | 'SESSION';

export function questionId(subjectId: string, kind: CallKind, reference: string): string {
  return `${subjectId}:${kind}:${reference}`;
}

export interface CallNames {
  /** As sent to the lender: a connector may lengthen it. */
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
      /** Of a redirect step: the provider waits for the applicant. Left out: the provider decides. */
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
  /** SHA-256 (hex) of the signed document. */
  readonly documentHash?: string;
}

export type LenderAnswer =
  | {
      readonly kind: 'OFFERED';
      readonly offers: readonly LenderOffer[];
      /** Offers that the port has no form for, or that are inconsistent. */
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
  /** Added by the service: calls to the lender are suspended. */
  | { readonly kind: 'UNREACHABLE' };

/** The amount paid out, or the principal of the first offer. */
export function answerAmount(answer: LenderAnswer): { readonly amount?: Paise } {
  if (answer.kind === 'PAID') return { amount: answer.amount };
  const [offer] = answer.kind === 'OFFERED' ? answer.offers : [];
  return offer ? { amount: offer.principal } : {};
}

/** An offer with the lender's figures, which are computed again before use. */
export interface LenderOffer {
  readonly reference: string;
  readonly principal: Paise;
  readonly minimumAmount: Paise;
  readonly annualRatePercent: number;
  readonly tenureMonths: number;
  readonly instalment: Paise;
  readonly apr: number;
  /** What reaches the borrower: the principal where the charges are paid up front. */
  readonly netDisbursed: Paise;
  readonly fees: readonly FeeCharge[];
  /** As the lender states it; left out where it does not. */
  readonly areChargesPaidUpFront?: boolean;
  /** ISO 8601. */
  readonly validUntil: string;
  readonly collateralExplanation: string | null;
  /** Translations, by the English text. */
  readonly texts?: OwnTexts;
  readonly maximumAmount?: Paise;
  /** These three, when left out: as in the lender's configured terms. */
  readonly contingentCharges?: readonly OfferedCharge[];
  readonly coolingOffDays?: number;
  readonly branches?: readonly OfferedBranch[];
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
}

export interface OfferedCharge extends ContingentCharge {
  readonly ifUnpaid?: Omit<UnpaidCharge, 'name'>;
}

/** A branch under the lender's own reference. */
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
  /** Of a question that binds the lender. */
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
  /** SHA-256 (hex) of the statement shown for the choice. */
  readonly keyFactsHash: string;
  /** With the acknowledgement and branch of the choice, where there are any. */
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

export type ShownProvider = Readonly<Pick<StepProvider, 'name' | 'host'>>;

export type SessionVerdict =
  | {
      readonly kind: 'OPENED';
      readonly url: string;
      /** ISO 8601; left out: usable while the step is open. */
      readonly expiresAt?: string;
      /** The steps that this visit can pass, the requested one included. */
      readonly covers: readonly RedirectStep[];
    }
  /** There is no loan, as when the step is refused. */
  | ({ readonly kind: 'REFUSED'; readonly answerId: string } & Refusal);
