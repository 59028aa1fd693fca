import type { Paise } from '../loans/index.js';

/** The applicant as the lender needs to know them; personal data, sealed wherever it is stored. */
export interface LenderApplicant {
  readonly mobile: string;
  readonly pan: string;
  readonly [field: string]: unknown;
}

export interface QuestionPayload {
  readonly subjectKind: 'JOURNEY' | 'INSTANT_LOAN';
  /** The application's id, under which the partner, too, knows it. */
  readonly applicationId: string;
  readonly productCode: string;
  readonly loanAmount: Paise;
  /** What is to be paid out, once an offer is chosen. */
  readonly netDisbursed?: Paise;
  /** What is paid back in all, once an offer is chosen. */
  readonly totalPayable?: Paise;
  readonly applicant: LenderApplicant;
  readonly gold?: { readonly grams: string; readonly jewelleryList: readonly string[] };
  /** With what the applicant's details are shared: with a request for offers, and for a decision. */
  readonly consent?: LenderConsent;
  /** ISO 8601: an answer that comes later is kept, but moves nothing. Of a request for offers. */
  readonly usefulUntil?: string;
  /** The lender's own reference of the chosen offer, once one is chosen; of an instant loan, paid for. */
  readonly offerReference?: string;
  /** The lender's own reference of the application, once it has taken the choice. */
  readonly applicationReference?: string;
  /** Of gold: the branch to which it is brought, once it is chosen. */
  readonly branchReference?: string;
  /** The applicant's word for the statement, once they have given it on our page. */
  readonly acknowledgement?: Acknowledgement;
  /** Which try of a redirect step this is, from 1. */
  readonly stepAttempt?: number;
  readonly bankAccount?: BankAccount;
  /** SHA-256 of the Key Facts Statement that was agreed to; what the eSign cites. */
  readonly keyFactsHash?: string;
  /** For a decision: the fee that the applicant has paid up front. */
  readonly feePaid?: FeePaid;
  /** For a withdrawal: why. */
  readonly withdrawal?: Withdrawal;
}

/** The consent to share the applicant's data. */
export interface LenderConsent {
  /** `PARTNER`: the partner attests it, and names no text of ours. */
  readonly givenBy: 'HOSTED' | 'PARTNER';
  /** Of a partner's word: what stands behind it. */
  readonly basis?: 'TEXT' | 'TERMS_ACCEPTED' | 'AGREEMENT';
  /** ISO 8601. */
  readonly givenAt: string;
  readonly textVersion?: string;
  readonly language?: string;
  /** Whether the applicant may be phoned about the loan; left out: they were not asked by themselves. */
  readonly mayCall?: boolean;
}

/** That the applicant has read a Key Facts Statement. */
export interface Acknowledgement {
  /** SHA-256 (hex) of the statement. */
  readonly keyFactsHash: string;
  /** ISO 8601. */
  readonly acknowledgedAt: string;
  readonly language: string;
}

/**
 * `NOT_CHOSEN`: another lender's offer was chosen. `ABANDONED`: the applicant did not go on. `ENDED`:
 * the application was ended here, before or after the choice. `OFFER_REFUSED`: offers did not hold when
 * they were computed again. `CONSENT_WITHDRAWN`: the applicant has stopped the application, and their data
 * may no longer be used for it. `ERASURE`: what the law does not oblige the lender to keep is to be deleted.
 */
export type WithdrawalReason =
  | 'NOT_CHOSEN'
  | 'ABANDONED'
  | 'ENDED'
  | 'OFFER_REFUSED'
  | 'CONSENT_WITHDRAWN'
  | 'ERASURE';

export interface Withdrawal {
  readonly reason: WithdrawalReason;
  /** Of `OFFER_REFUSED`: which, and why. */
  readonly refusedOffers?: readonly RefusedOffer[];
}

/** An offer that is not shown. */
export interface RefusedOffer {
  readonly offerReference: string;
  /** In the protocol's words. */
  readonly problem: string;
  readonly stated?: string;
  readonly computed?: string;
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

/** What names the application to its lender, and nothing of the applicant: the lender knows whom it was asked about. */
export function barePayload(payload: Omit<QuestionPayload, 'applicant'>): QuestionPayload {
  const { subjectKind, applicationId, productCode, loanAmount } = payload;
  const { offerReference, applicationReference, withdrawal } = payload;
  return known({
    subjectKind,
    applicationId,
    productCode,
    loanAmount,
    applicant: { mobile: '', pan: '' },
    offerReference,
    applicationReference,
    withdrawal,
  });
}

/**
 * The words in which a question was put. A lender takes the same id with another body for a mistake, so
 * what may have arrived is sent again as it was, whatever has changed in between.
 */
export class SentBody {
  private sent: string | null = null;

  /** @param before what was sent before this time; null when nothing was, or nobody knows */
  constructor(readonly before: string | null = null) {}

  /** What is to be kept; null when nothing can have arrived, or it is kept already. */
  get toKeep(): string | null {
    return this.before === null ? this.sent : null;
  }

  sending(body: string): void {
    this.sent = body;
  }

  /** The lender has not taken it: it may be put otherwise the next time. */
  wasNotTaken(): void {
    this.sent = null;
  }
}

/** The fields without those that are undefined. */
export function known<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Fields;
}
