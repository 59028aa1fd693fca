export { AccessRecordsModule, AuthModule } from './auth.module.js';
export {
  CurrentKey,
  CurrentPartner,
  CurrentRequest,
  type PartnerIdentity,
  TIMESTAMP as TIMESTAMP_FORM,
  UUID_V4 as NONCE_FORM,
} from './request-credentials.js';
export { hintOf, makeApiKey, makeApiSecret, readApiKey, readApiSecret } from './key-format.js';
export { KeyDirectory } from './key-directory.js';
export {
  type ClaimedRequest,
  KEY_SECRET_PURPOSE,
  type PartnerKey,
  type PartnerRequest,
  type RefusedSignature,
  type Scope,
  SCOPES,
} from './partner-key.js';
export {
  explainSignature,
  type GivenSignature,
  isRightFinding,
  SIGNATURE_FINDINGS,
  type SignatureExplanation,
  type SignatureFinding,
} from './explain-signature.js';
export { SIGNATURE_MISTAKES, type SignatureMistake } from './signature-mistakes.js';
export { type ApiKeyVerdict, offBy, SignatureExplainer } from './signature-explainer.js';
export { canonicalHead, TIMESTAMP_TOLERANCE_SECONDS } from './request-signature.js';
export { OtherMethodsModule } from './other-methods.controller.js';
export { Authenticated, Scoped } from './scoped.decorator.js';
export {
  AccessListing,
  type KeyAccess,
  KeyAccessRepository,
  type KeyNearLimit,
  type KeyUse,
} from './store/key-access.repository.js';
export type { ApiKey } from './store/api-key.entity.js';
export {
  ApiKeysRepository,
  type KeyTerms,
  type NewApiKey,
  sealedSecrets,
} from './store/api-keys.repository.js';
export {
  AUTH_ENTITIES,
  AUTH_KEPT,
  type GivenLogo,
  type GivenPartner,
  PagePartners,
  PartnerAlertEmails,
  PartnerLogosRepository,
  PartnerReturnUrls,
  PartnersRepository,
} from './store/partners.repository.js';
export type { Partner } from './store/partner.entity.js';
