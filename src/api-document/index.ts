export {
  ApiDocument,
  type DocumentMakers,
  LENDER_DOCUMENT,
  PARTNER_DOCUMENT,
} from './api-document.js';
export { ApiDocumentModule } from './api-document.module.js';
export {
  type DescribedCalls,
  describeCalls,
  type KnownWords,
  partnerDocument,
} from './partner-document.js';
export { dayOf, withRecentMoments } from './recent-moments.js';
