import { type RedirectStep, STEP_QUESTIONS } from '../journey-steps/index.js';
import type { FeeCharge, Paise } from '../loans/index.js';
import type { Lender } from '../settings/index.js';

/**
 * What a lender can be asked. The lender is on the far side of a network: every question may be
 * answered at once, later (by a poll or a callback), twice, or fail. Questions have an id that the
 * lender takes as an idempotency key, so asking again is always safe.
 */
export interface LenderConnector {
  /** The `adapter` of the lenders that this connector speaks for. */
  readonly adapter: string;

  /** Puts a durable question, or asks again about one that is pending. */
  ask(question: LenderQuestion): Promise<LenderReply>;

  /** Quotes an offer again for another amount; null when the lender no longer stands by it. */
  quote(request: QuoteRequest): Promise<LenderOffer | null>;

  /** Whether money can be paid to this account. */
  verifyAccount(request: AccountRequest): Promise<AccountVerdict>;

  /** Opens the provider's session for a redirect step and answers where to send the applicant. */
  openSession(request: SessionRequest): Promise<{ url: string }>;
}

export const LENDER_CONNECTORS = Symbol('lender connectors');

/** What the lender of a journey is asked. `WITHDRAWAL`: it is told that the journey was abandoned. */
export const JOURNEY_QUESTION_KINDS = [...STEP_QUESTIONS, 'WITHDRAWAL'] as const;

export type JourneyQuestionKind = (typeof JOURNEY_QUESTION_KINDS)[number];

/** `DECISION`: whether an instant loan, its fee paid, is sanctioned. */
export type QuestionKind = JourneyQuestionKind | 'DECISION';

/** The applicant as the lender needs to know them; personal data, sealed wherever it is stored. */
export interface LenderApplicant {
  readonly mobile: string;
  readonly pan: string;
  readonly [field: string]: unknown;
}

export interface QuestionPayload {
  readonly productCode: string;
  readonly loanAmount: Paise;
  /** What is to be paid out, once an offer is chosen. */
  readonly netDisbursed?: Paise;
  readonly applicant: LenderApplicant;
  readonly gold?: { readonly grams: string; readonly jewelleryList: readonly string[] };
  /** The lender's own reference of the chosen offer, once one is chosen. */
  readonly offerReference?: string;
  /** Which try of a redirect step this is, from 1. */
  readonly stepAttempt?: number;
  readonly bankAccount?: BankAccount;
  /** SHA-256 of the Key Facts Statement that was agreed to; what the eSign cites. */
  readonly keyFactsHash?: string;
  /** For a decision: the fee that the applicant has paid up front. */
  readonly feePaid?: FeePaid;
}

/** A fee that has been taken, so that the lender can match it with the gateway's books. */
export interface FeePaid {
  readonly amount: Paise;
  /** The gateway's own id of the payment. */
  readonly gatewayPaymentId: string | null;
  /** ISO 8601. */
  readonly paidAt: string;
}

export interface BankAccount {
  readonly accHolderName: string;
  readonly acctype: 'SAVINGS' | 'CURRENT';
  readonly accNo: string;
  readonly ifscCode: string;
}

export interface LenderQuestion {
  /** The idempotency key: the same however often, and by whomever, the question is put. */
  readonly id: string;
  readonly lender: Lender;
  readonly kind: QuestionKind;
  readonly partnerId: string;
  readonly subjectId: string;
  /** What it is about there: an offer round, a redirect's id. */
  readonly reference: string;
  /** How many times it was put before this time. */
  readonly attemptsBefore: number;
  readonly askedAt: Date;
  readonly payload: QuestionPayload;
}

export type LenderReply =
  | { readonly status: 'ANSWERED'; readonly answerId: string; readonly answer: LenderAnswer }
  | {
      readonly status: 'PENDING';
      readonly askAgainInMs?: number;
      /**
       * Of a redirect step: the provider waits for the applicant, whose session is still good. Left
       * out, the applicant is done there and the provider decides.
       */
      readonly isSessionOpen?: boolean;
    };

export type LenderAnswer =
  | { readonly kind: 'OFFERED'; readonly offers: readonly LenderOffer[] }
  | { readonly kind: 'DECLINED'; readonly reason: string }
  | { readonly kind: 'PASSED' }
  | { readonly kind: 'FAILED'; readonly reason: string }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | {
      readonly kind: 'PAID';
      /** ISO 8601. */
      readonly paidAt: string;
      /** What was paid out: it is checked against what was agreed. */
      readonly amount: Paise;
      readonly transferReference: string;
    }
  | {
      readonly kind: 'SANCTIONED';
      /** The lender's own reference of the loan. */
      readonly reference: string;
    }
  | { readonly kind: 'NOTED' };

/** An offer with the lender's own figures, which are computed again before anyone sees them. */
export interface LenderOffer {
  readonly reference: string;
  readonly principal: Paise;
  readonly minimumAmount: Paise;
  readonly annualRatePercent: number;
  readonly tenureMonths: number;
  readonly instalment: Paise;
  readonly apr: number;
  readonly netDisbursed: Paise;
  readonly fees: readonly FeeCharge[];
  /** ISO 8601. */
  readonly validUntil: string;
  readonly collateralExplanation: string | null;
}

export interface QuoteRequest {
  readonly idempotencyKey: string;
  readonly lender: Lender;
  readonly offerReference: string;
  readonly principal: Paise;
  readonly payload: QuestionPayload;
}

export interface AccountRequest {
  readonly idempotencyKey: string;
  readonly lender: Lender;
  readonly account: BankAccount;
  readonly payload: QuestionPayload;
}

export type AccountVerdict =
  | { readonly kind: 'ACCEPTED' }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | { readonly kind: 'REFUSED_FOR_GOOD'; readonly reason: string };

export interface SessionRequest {
  readonly lender: Lender;
  readonly step: RedirectStep;
  readonly partnerId: string;
  readonly subjectId: string;
  /** The redirect's id. */
  readonly reference: string;
  readonly payload: QuestionPayload;
  /** Where the provider sends the applicant afterwards. */
  readonly returnUrl: string;
}

/** The lender could not be reached, or did not answer in time: an unknown answer, not a "no". */
export class LenderUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'LenderUnavailable';
  }
}
