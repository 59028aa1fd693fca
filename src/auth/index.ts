export { AuthModule } from './auth.module.js';
export { CurrentKey, CurrentPartner, type PartnerIdentity } from './current-key.decorator.js';
export { hintOf, makeApiKey, makeApiSecret, readApiKey, readApiSecret } from './key-format.js';
export type { PartnerKey } from './partner-key.js';
export type { PartnerRequest } from './partner-request.js';
export { Scoped } from './scoped.decorator.js';
export { SCOPES, type Scope } from './scopes.js';
export { AUTH_ENTITIES } from './store/auth-entities.js';
export { PartnerReturnUrls } from './store/partner-return-urls.js';
