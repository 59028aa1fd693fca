import type { InstantLoan } from '../store/instant-loan.entity.js';

type OfTheChoice = 'fee' | 'lenderCode' | 'comparison' | 'keyFactsSealed' | 'keyFactsHash';

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

/** Whether the lenders that were asked are still waited for. */
export function isAwaitingOffers(loan: InstantLoan): boolean {
  return loan.status === 'PAYMENT_PENDING' && !isChosen(loan);
}
