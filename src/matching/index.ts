export {
  type Comparison,
  type LenderIdentity,
  lenderIdentityOf,
  type LenderWithoutOffer,
  type PresentedOffer,
  STANDINGS_WITHOUT_OFFER,
} from './presentation.js';
export { MatchingModule } from './matching.module.js';
export { METRIC_TEXTS, type MetricTexts, OFFER_METRIC, type OfferOrder } from './metric-texts.js';
export { OfferPresentations } from './offer-presentations.js';
export { OFFER_PRESENTATION_SOURCE, presentationFile } from './store/offer-presentation.source.js';
export { MATCHING_ENTITIES } from './store/matching-entities.js';
