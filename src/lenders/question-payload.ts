import type { Paise } from '../loans/index.js';

/** Personal data; stored only sealed. */
export interface LenderApplicant {
  readonly mobile: string;
  readonly pan: string;
  readonly [field: string]: unknown;
}

export interface QuestionPayload {
  readonly subjectKind: 'JOURNEY' | 'INSTANT_LOAN';
  /** The partner knows it, too. */
  readonly applicationId: string;
  readonly productCode: string;
  readonly loanAmount: Paise;
  readonly netDisbursed?: Paise;
  readonly areChargesPaidUpFront?: true;
  readonly totalPayable?: Paise;
  readonly applicant: LenderApplicant;
  readonly gold?: { readonly grams: string; readonly jewelleryList: readonly string[] };
  readonly consent?: LenderConsent;
  /** ISO 8601, for an offer request: a later answer is stored but changes nothing. */
  readonly usefulUntil?: string;
  /** The lender's, once an offer is chosen; for an instant loan, once paid. */
  readonly offerReference?: string;
  /** The lender's, once it has accepted the choice. */
  readonly applicationReference?: string;
  readonly branchReference?: string;
  /** Absent until the applicant gives it on our page. */
  readonly acknowledgement?: Acknowledgement;
  /** From 1. */
  readonly stepAttempt?: number;
  readonly bankAccount?: BankAccount;
  /** SHA-256 of the agreed Key Facts Statement, which the eSign cites. */
  readonly keyFactsHash?: string;
  readonly feePaid?: FeePaid;
  readonly withdrawal?: Withdrawal;
}

export interface LenderConsent {
  /** `PARTNER`: the partner attests the consent, without our text. */
  readonly givenBy: 'HOSTED' | 'PARTNER';
  readonly basis?: 'TEXT' | 'TERMS_ACCEPTED' | 'AGREEMENT';
  /** ISO 8601. */
  readonly givenAt: string;
  readonly textVersion?: string;
  readonly language?: string;
  /** Permission for calls about the loan; absent: not asked separately. */
  readonly mayCall?: boolean;
}

export interface Acknowledgement {
  readonly keyFactsHash: string;
  /** ISO 8601. */
  readonly acknowledgedAt: string;
  readonly language: string;
}

/**
 * `ENDED`: the application ended here, before or after the choice. `CONSENT_WITHDRAWN`: the data may no longer be
 * used for it. `ERASURE`: the lender must delete what the law allows.
 */
export type WithdrawalReason =
  | 'NOT_CHOSEN'
  | 'ABANDONED'
  | 'ENDED'
  | 'OFFER_REFUSED'
  | 'CONSENT_WITHDRAWN'
  | 'ERASURE';

interface Withdrawal {
  readonly reason: WithdrawalReason;
  readonly refusedOffers?: readonly RefusedOffer[];
}

export interface RefusedOffer {
  readonly offerReference: string;
  readonly problem: string;
  readonly stated?: string;
  readonly computed?: string;
}

/** A captured fee; the lender finds it in the gateway's books. */
export interface FeePaid {
  readonly amount: Paise;
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

/** Identifies the application to its lender, without personal data. */
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

/** The exact body of a question. A lender rejects the same id with another body, so a retry repeats it unchanged. */
export class SentBody {
  private sent: string | null = null;

  /**
   * @param before the earlier body; null: none, or unknown
   * @param keep stores the body before it is sent, so that a killed process leaves it known
   */
  constructor(
    readonly before: string | null = null,
    private readonly keep?: (body: string) => Promise<void>,
  ) {}

  /** Null when nothing was sent, or it is already stored. */
  get toKeep(): string | null {
    return this.before === null && !this.keep ? this.sent : null;
  }

  async sending(body: string): Promise<void> {
    if (this.before === null) await this.keep?.(body);
    this.sent = body;
  }
}

export function known<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Fields;
}
