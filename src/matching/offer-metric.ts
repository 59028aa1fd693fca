/**
 * The metric by which offers are shown, and its version: lowest APR first; of the same APR in the order
 * of the lenders' codes. Another order, or another text about it, is another version.
 */
export const OFFER_METRIC = 'APR_ASC/5';

/**
 * What an applicant may put the offers in order of, each with the metric that it is: they are shown by APR
 * until somebody asks for another. `TOTAL`: of what is paid back in all. Offers that are alike in it stand
 * by APR.
 */
export const OFFER_ORDERS = {
  APR: OFFER_METRIC,
  INSTALMENT: 'INSTALMENT_ASC/1',
  TOTAL: 'TOTAL_ASC/1',
} as const;
export type OfferOrder = keyof typeof OFFER_ORDERS;
