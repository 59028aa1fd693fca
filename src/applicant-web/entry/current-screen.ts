import type { DetailName, HostedJourneyView, JourneyState } from '../../journeys/index.js';
import { ScreenRedirect, CURRENT_SCREEN } from './screen-redirect.js';

type Position = Pick<HostedJourneyView, 'state' | 'isConfirmed' | 'consent' | 'missingDetails'>;

/** The screen of each state; INITIATED has several, see `beforeOffers`. */
const SCREENS: Readonly<Record<Exclude<JourneyState, 'INITIATED'>, string>> = {
  OFFERS_RECEIVED: '/hosted/offers',
  OFFER_SELECTED: '/hosted/branch',
  KYC_PENDING: '/hosted/kyc',
  BANK_ACCOUNT_PENDING: '/hosted/bank-account',
  MANDATE_PENDING: '/hosted/mandate',
  ESIGN_PENDING: '/hosted/esign',
  DISBURSEMENT_PENDING: '/hosted/disbursement',
  SANCTIONED: '/hosted/done',
  REJECTED: '/hosted/rejected',
  ABANDONED: '/hosted/abandoned',
};

/** The one table of where a journey's applicant is. */
export function screenOf(view: Position): string {
  return view.state === 'INITIATED' ? beforeOffers(view) : SCREENS[view.state];
}

export function detailPath(name: DetailName): string {
  return `/hosted/details/${name}`;
}

/** @throws ScreenRedirect to the journey's screen when that is another */
export function requireScreen(view: Position, path: string): void {
  const screen = screenOf(view);
  if (screen !== path) throw new ScreenRedirect(screen);
}

/**
 * @param shown the `stamp` that the form bore
 * @throws ScreenRedirect when the form was shown in another state of the journey: another tab was faster
 */
export function requireStamp({ stamp }: { stamp: string }, shown: string | undefined): void {
  if (stamp !== shown) throw new ScreenRedirect(CURRENT_SCREEN);
}

function beforeOffers({ isConfirmed, consent, missingDetails }: Position): string {
  if (isConfirmed) return '/hosted/waiting';
  if (!consent) return '/hosted/consent';
  const [missing] = missingDetails;
  return missing === undefined ? '/hosted/check' : detailPath(missing);
}
