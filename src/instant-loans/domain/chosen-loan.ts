import type { InstantLoan } from '../store/instant-loan.entity.js';

type OfTheChoice =
  | 'offerId'
  | 'fee'
  | 'feeOnDecline'
  | 'lenderCode'
  | 'comparison'
  | 'keyFactsSealed'
  | 'keyFactsHash';

/** An application whose lender is chosen: with it stand the fee, the comparison and the statement. */
export type ChosenInstantLoan = InstantLoan & {
  readonly [Property in OfTheChoice]: NonNullable<InstantLoan[Property]>;
};

export function isChosen(loan: InstantLoan): loan is ChosenInstantLoan {
  return loan.lenderCode !== null;
}

/** @throws Error when no lender is chosen: nothing can have been paid */
export function requireChosen(loan: InstantLoan): ChosenInstantLoan {
  if (!isChosen(loan)) throw new Error(`application ${loan.id} has no lender`);
  return loan;
}

type Choosing = Pick<InstantLoan, 'offerId' | 'wantedOfferId' | 'agreedAt' | 'paymentOrderId'>;

/**
 * Whether the offer that leads is the applicant's own choice. An applicant who has agreed or ordered has chosen it,
 * also where there was no other offer.
 */
export function isOwnChoice(loan: Choosing): boolean {
  if (loan.agreedAt !== null || loan.paymentOrderId !== null) return true;
  return loan.offerId !== null && loan.wantedOfferId === loan.offerId;
}

/** Whether the applicant wants another offer than the one that leads. */
export function isAnotherWanted({ offerId, wantedOfferId }: Choosing): boolean {
  return wantedOfferId !== null && wantedOfferId !== offerId;
}

/** Whether the lenders that were asked are still waited for, and none of their offers is shown. */
export function isAwaitingOffers(loan: InstantLoan): boolean {
  return loan.status === 'PAYMENT_PENDING' && !isChosen(loan);
}

/** Whether the applicant compares offers while lenders are still asked: `OFFERS_OPENED`, and no choice yet. */
export function isStillAsking(loan: InstantLoan): loan is ChosenInstantLoan {
  return loan.status === 'PAYMENT_PENDING' && isChosen(loan) && loan.offersDueAt !== null;
}

/** Whether a lender's first offer still counts. */
export function isTakingOffers(loan: InstantLoan): boolean {
  return isAwaitingOffers(loan) || isStillAsking(loan);
}
