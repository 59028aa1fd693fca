import type { STANDINGS_WITHOUT_OFFER } from '../../matching/index.js';

/** How a lender that was asked stands. */
export type OfferStanding = 'OFFERED' | (typeof STANDINGS_WITHOUT_OFFER)[number];
