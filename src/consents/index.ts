export { type AttestedConsent, ConsentLog, type SignedRequest } from './consent-log.js';
export {
  BUREAU_NAMES,
  type ConsentText,
  consentText,
  consentValues,
  CONSENT_VERSION,
  namesLender,
  plainConsent,
} from './consent-texts.js';
export { ConsentsModule } from './consent-log.js';
export {
  ConsentField,
  GivenConsent,
  type PartnerConsent,
  readPartnerConsent,
} from './partner-consent.js';
export { CONSENT_ENTITIES, CONSENT_LOG_SOURCE } from './store/consent-log.repository.js';
