export {
  type LenderWithoutOffer,
  type PassedOverLender,
  STANDINGS_WITHOUT_OFFER,
} from './lender-without-offer.js';
export { type LenderIdentity, lenderIdentityOf } from './lender-identity.js';
export { MatchingModule } from './matching.module.js';
export { METRIC_TEXTS, type MetricTexts } from './metric-texts.js';
export { OFFER_METRIC, OFFER_ORDERS, type OfferOrder } from './offer-metric.js';
export { OfferPresentations } from './offer-presentations.js';
export type { Comparison, PresentedOffer, PresentedTerms } from './presentation.js';
export { OFFER_PRESENTATION_SOURCE, presentationFile } from './store/offer-presentation.source.js';
export { MATCHING_ENTITIES } from './store/matching-entities.js';
