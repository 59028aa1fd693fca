export { AccessRecordsModule, AuthModule } from './auth.module.js';
export {
  CurrentKey,
  CurrentPartner,
  CurrentRequest,
  type PartnerIdentity,
} from './current-key.decorator.js';
export { hintOf, makeApiKey, makeApiSecret, readApiKey, readApiSecret } from './key-format.js';
export { KeyDirectory } from './key-directory.js';
export { KEY_SECRET_PURPOSE, type PartnerKey, SCOPES, type Scope } from './partner-key.js';
export type { ClaimedRequest, PartnerRequest, RefusedSignature } from './partner-request.js';
export {
  explainSignature,
  type GivenSignature,
  isRightFinding,
  SIGNATURE_FINDINGS,
  type SignatureExplanation,
  type SignatureFinding,
} from './explain-signature.js';
export { SIGNATURE_MISTAKES, type SignatureMistake } from './signature-mistakes.js';
export {
  type ApiKeyVerdict,
  SignatureExplainer,
  type SignatureInQuestion,
} from './signature-explainer.js';
export { TIMESTAMP as TIMESTAMP_FORM, UUID_V4 as NONCE_FORM } from './request-credentials.js';
export { offBy } from './refusal-hint.js';
export { canonicalHead, TIMESTAMP_TOLERANCE_SECONDS } from './request-signature.js';
export { OtherMethodsModule } from './other-methods.controller.js';
export { Authenticated, Scoped } from './scoped.decorator.js';
export { AccessListing } from './store/access-listing.js';
export type { ApiKey } from './store/api-key.entity.js';
export {
  ApiKeysRepository,
  type KeyTerms,
  type NewApiKey,
  sealedSecrets,
} from './store/api-keys.repository.js';
export {
  type KeyAccess,
  KeyAccessRepository,
  type KeyNearLimit,
  type KeyUse,
} from './store/key-access.repository.js';
export { AUTH_ENTITIES } from './store/auth-entities.js';
export { type GivenLogo, PartnerLogosRepository } from './store/partner-logos.repository.js';
export { PagePartners, PartnerReturnUrls } from './store/page-partners.js';
export { PartnerAlertEmails } from './store/partner-alert-emails.js';
export type { Partner } from './store/partner.entity.js';
export { type GivenPartner, PartnersRepository } from './store/partners.repository.js';
