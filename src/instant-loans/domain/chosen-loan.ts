import type { Paise } from '../../loans/index.js';
import type { FeeOnDecline } from '../../settings/index.js';
import type { InstantLoanPosition, LenderComparison } from './instant-loan.js';

/** Known of an application once an offer leads. */
export interface LenderChoice {
  readonly offerId: string;
  readonly fee: Paise;
  readonly feeOnDecline: FeeOnDecline;
  readonly lenderCode: string;
  readonly comparison: LenderComparison;
  readonly keyFactsSealed: string;
  /** SHA-256 (hex) of the canonical JSON. */
  readonly keyFactsHash: string;
}

export function isChosen<Loan extends InstantLoanPosition>(
  loan: Loan,
): loan is Loan & LenderChoice {
  return loan.lenderCode !== null;
}

/** @throws Error when no lender is chosen */
export function requireChosen<Loan extends InstantLoanPosition>(loan: Loan): Loan & LenderChoice {
  if (!isChosen(loan)) throw new Error(`application ${loan.id} has no lender`);
  return loan;
}

/**
 * Whether the leading offer is the applicant's own choice: agreeing or ordering counts, even
 * without other offers.
 */
export function isOwnChoice(loan: InstantLoanPosition): boolean {
  if (loan.agreedAt !== null || loan.paymentOrderId !== null) return true;
  return loan.offerId !== null && loan.wantedOfferId === loan.offerId;
}

export function isAnotherWanted({ offerId, wantedOfferId }: InstantLoanPosition): boolean {
  return wantedOfferId !== null && wantedOfferId !== offerId;
}

export function isAwaitingOffers(loan: InstantLoanPosition): boolean {
  return loan.status === 'PAYMENT_PENDING' && !isChosen(loan);
}

/** The comparison was opened early (`OFFERS_OPENED`) and nothing is chosen. */
export function isStillAsking<Loan extends InstantLoanPosition>(
  loan: Loan,
): loan is Loan & LenderChoice {
  return loan.status === 'PAYMENT_PENDING' && isChosen(loan) && loan.offersDueAt !== null;
}

export function isTakingOffers(loan: InstantLoanPosition): boolean {
  return isAwaitingOffers(loan) || isStillAsking(loan);
}
