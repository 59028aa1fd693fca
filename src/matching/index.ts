export {
  type Comparison,
  type LenderIdentity,
  lenderIdentityOf,
  type LenderWithoutOffer,
  type PresentedOffer,
  STANDINGS_WITHOUT_OFFER,
} from './presentation.js';
export { MatchingModule, OfferPresentations } from './offer-presentations.js';
export { METRIC_TEXTS, type MetricTexts, OFFER_METRIC, type OfferOrder } from './metric-texts.js';
export {
  MATCHING_ENTITIES,
  OFFER_PRESENTATION_SOURCE,
  presentationFile,
} from './store/offer-presentations.repository.js';
