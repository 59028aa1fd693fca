import type { Paise } from '../../loans/index.js';
import { isAwaitingOffers } from '../domain/chosen-loan.js';
import { isPastPaying } from '../domain/pay-times.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import type { AskedLender } from './asked-lenders.js';

/** Of whom nothing was heard. */
const MISSED: ReadonlySet<AskedLender['standing']> = new Set([
  'WAITING',
  'UNREACHABLE',
  'NO_ANSWER',
]);

export interface StandingView {
  readonly loanAmount: Paise;
  readonly payPath: string;
  /** The partner's own page, of an application that is over; null: it has given none. */
  readonly returnUrl: string | null;
}

/** Before a lender is chosen, and where none is. */
export interface OfferlessView extends StandingView {
  readonly stage: 'OFFERS' | 'NO_OFFER' | 'EXPIRED';
  readonly hasOffer: false;
  readonly lenders: readonly AskedLender[];
  /** How many offers can be compared before every lender has answered; null: too few. */
  readonly offersNow: number | null;
  /** Whether a lender has answered: if none has, none could be reached. */
  readonly isAnswered: boolean;
}

/** Of an application without a lender. */
export function offerlessViewOf(
  loan: InstantLoan,
  lenders: readonly AskedLender[],
  paths: Pick<StandingView, 'payPath' | 'returnUrl'>,
  now: Date,
  offersNow: number | null,
): OfferlessView {
  const isOpen = isAwaitingOffers(loan) && !isPastPaying(loan, now);
  const ended = loan.status === 'REJECTED' ? 'NO_OFFER' : 'EXPIRED';
  return {
    stage: isOpen ? 'OFFERS' : ended,
    hasOffer: false,
    loanAmount: loan.loanAmount,
    lenders,
    offersNow,
    isAnswered: lenders.some(({ standing }) => !MISSED.has(standing)),
    ...paths,
  };
}
