/**
 * What stands in the place of a round where an answer to `OFFERS` is the offer by which a lender replaces the
 * one that was chosen: nobody has asked for it.
 */
export const REVISED_OFFER = 'revised';
