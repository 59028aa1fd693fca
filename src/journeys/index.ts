export {
  ApplicantErasure,
  type ErasureObstacle,
  type ErasureResult,
} from './erasure/applicant-erasure.js';
export { ErasureModule } from './erasure/erasure.module.js';
export { JOURNEY_ENTITIES } from './journey-entities.js';
export { JourneysModule } from './journeys.module.js';
export { KeyFactsBook } from './key-facts/key-facts-book.js';
export { OpenRedirectService, type RedirectVisit } from './returns/open-redirect.service.js';
