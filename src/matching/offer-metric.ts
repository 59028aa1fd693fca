/**
 * The metric by which offers are shown, and its version: lowest APR first; of the same APR in the order
 * of the lenders' codes. Another order, or another text about it, is another version.
 */
export const OFFER_METRIC = 'APR_ASC/2';
