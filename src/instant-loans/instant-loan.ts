import type { Paise } from '../loans/index.js';
import type { InstantLoanStatus } from './statuses/instant-loan-status.js';

export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

/** What another lender would have lent the same amount on. */
export interface OtherTerms {
  readonly lenderName: string;
  /** Percent. */
  readonly apr: number;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly fee: Paise;
}

/** The lenders that were looked at and not taken: shown beside the one that was. */
export interface LenderComparison {
  /** Lowest APR first. */
  readonly others: readonly OtherTerms[];
  /** Those that do not lend this amount. */
  readonly withoutOffer: readonly string[];
}

/** An application for an instant loan; its id is the lead's. */
export interface InstantLoan {
  readonly id: string;
  readonly partnerId: string;
  readonly keyId: string;
  readonly status: InstantLoanStatus;
  readonly loanAmount: Paise;
  /** What is paid up front: all one-time charges of the lender. */
  readonly fee: Paise;
  readonly lenderCode: string;
  readonly comparison: LenderComparison;
  /** The frozen Key Facts Statement; `InstantKeyFacts` reads it. */
  readonly keyFactsSealed: string;
  readonly keyFactsHash: string;
  /** When the applicant, shown the statement, first went on to the payment. */
  readonly agreedAt: Date | null;
  /** Null once the applicant is erased. */
  readonly applicantSealed: string | null;
  readonly mobileHash: string | null;
  readonly panHash: string | null;
  /** The order that is to be paid now; an earlier one may stand behind it after a failed try. */
  readonly paymentOrderId: string;
  /** Whether, after a try that failed, the applicant has gone to the gateway again. */
  readonly isRetrying: boolean;
  readonly smsId: string;
  /** What the call has answered about the SMS; null as long as it has not. */
  readonly isSmsSent: boolean | null;
  /** The payment that counted. */
  readonly gatewayPaymentId: string | null;
  readonly paidAt: Date | null;
  /** The lender's own reference of the sanction. */
  readonly sanctionReference: string | null;
  /** Why it was declined, in the lender's words; for the books alone. */
  readonly declineReason: string | null;
  readonly expiresAt: Date;
  /** When we had the order closed ourselves, its time being over. */
  readonly calledOffAt: Date | null;
  /** When the operator is told that the lender says nothing; null once told, and before. */
  readonly decisionDueAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}
