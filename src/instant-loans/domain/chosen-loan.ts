import type { InstantLoan } from '../store/instant-loan.entity.js';

type OfTheChoice =
  | 'offerId'
  | 'fee'
  | 'feeOnDecline'
  | 'lenderCode'
  | 'comparison'
  | 'keyFactsSealed'
  | 'keyFactsHash';

export type ChosenInstantLoan = InstantLoan & {
  readonly [Property in OfTheChoice]: NonNullable<InstantLoan[Property]>;
};

export function isChosen(loan: InstantLoan): loan is ChosenInstantLoan {
  return loan.lenderCode !== null;
}

/** @throws Error when no lender is chosen */
export function requireChosen(loan: InstantLoan): ChosenInstantLoan {
  if (!isChosen(loan)) throw new Error(`application ${loan.id} has no lender`);
  return loan;
}

type Choosing = Pick<InstantLoan, 'offerId' | 'wantedOfferId' | 'agreedAt' | 'paymentOrderId'>;

/**
 * Whether the leading offer is the applicant's own choice: agreeing or ordering counts, even
 * without other offers.
 */
export function isOwnChoice(loan: Choosing): boolean {
  if (loan.agreedAt !== null || loan.paymentOrderId !== null) return true;
  return loan.offerId !== null && loan.wantedOfferId === loan.offerId;
}

export function isAnotherWanted({ offerId, wantedOfferId }: Choosing): boolean {
  return wantedOfferId !== null && wantedOfferId !== offerId;
}

export function isAwaitingOffers(loan: InstantLoan): boolean {
  return loan.status === 'PAYMENT_PENDING' && !isChosen(loan);
}

/** The comparison was opened early (`OFFERS_OPENED`) and nothing is chosen. */
export function isStillAsking(loan: InstantLoan): loan is ChosenInstantLoan {
  return loan.status === 'PAYMENT_PENDING' && isChosen(loan) && loan.offersDueAt !== null;
}

export function isTakingOffers(loan: InstantLoan): boolean {
  return isAwaitingOffers(loan) || isStillAsking(loan);
}
