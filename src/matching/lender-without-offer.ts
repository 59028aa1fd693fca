/**
 * `OFFER_REFUSED`: what it offered did not hold when it was computed again. `UNREACHABLE`: it was left
 * alone, since it did not answer others. `NO_ANSWER`: it had not answered when the comparison
 * was shown.
 */
export const STANDINGS_WITHOUT_OFFER = [
  'DECLINED',
  'UNREACHABLE',
  'NO_ANSWER',
  'OFFER_REFUSED',
] as const;

/** A lender that made an offer which could not be taken any more when one was chosen for the applicant. */
export interface PassedOverLender {
  readonly code: string;
  /** Its legal name. */
  readonly name: string;
  readonly standing: 'PASSED_OVER';
}

/** A lender that was asked, and of which no offer is shown. */
export interface LenderWithoutOffer {
  readonly code: string;
  /** Its legal name. */
  readonly name: string;
  readonly standing: (typeof STANDINGS_WITHOUT_OFFER)[number];
}
