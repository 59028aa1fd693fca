import type { Paise } from '../../loans/index.js';
import { isAwaitingOffers } from '../domain/chosen-loan.js';
import { isPastPaying } from '../domain/pay-times.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import type { AskedLender } from './asked-lenders.js';

const MISSED: ReadonlySet<AskedLender['standing']> = new Set([
  'WAITING',
  'UNREACHABLE',
  'NO_ANSWER',
]);

export interface StandingView {
  readonly loanAmount: Paise;
  readonly payPath: string;
  /** Null when the partner has no return URL. */
  readonly returnUrl: string | null;
}

export interface OfferlessView extends StandingView {
  readonly stage: 'OFFERS' | 'NO_OFFER' | 'EXPIRED';
  readonly hasOffer: false;
  readonly lenders: readonly AskedLender[];
  /** Offers that can be compared before every lender has answered; null: too few. */
  readonly offersNow: number | null;
  /** If no lender answered, none could be reached. */
  readonly isAnswered: boolean;
}

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
