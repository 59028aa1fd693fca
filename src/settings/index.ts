export {
  type Brand,
  type OperatingSettings,
  RBI_GOLD_LIMITS,
  SETTINGS_DEFAULTS,
} from './operating-settings.js';
export { ConfiguredGateways } from './configured-gateways.js';
export {
  SMS_KINDS,
  SMS_PLACEHOLDERS,
  SMS_TEMPLATE_KEYS,
  namesTemplate,
  smsCompany,
  type GatewaySettings,
  type HttpGatewaySettings,
  type PaymentSettings,
  type RazorpaySettings,
  type SmsGatewaySettings,
  type SmsKind,
  type SmsPlaceholder,
  type SmsSettings,
  type SmsTemplateKey,
  type TwilioSettings,
} from './gateway-settings.js';
export { type DemonstrationKey, demonstrationKey } from './demonstration-key.js';
export {
  chargesIn,
  inLanguage,
  joinedTexts,
  type OwnTexts,
  ownTextOf,
  textsOf,
} from './own-texts.js';
export { ClientKeys, PaymentAccounts } from './sealed-settings.js';
export { LenderCatalogue } from './lender-catalogue.js';
export {
  BINDING_STEPS,
  type BindingStep,
  type ContingentCharge,
  CREDIT_BUREAUS,
  CREDIT_ENQUIRIES,
  type CreditBureau,
  type CreditEnquiry,
  type CreditReportTerms,
  type FeeOnDecline,
  FEES_ON_DECLINE,
  GOLD_DOCUMENTS,
  type GoldDocument,
  type GrievanceOfficer,
  type LenderBranch,
  type LenderContact,
  type LenderTerms,
  type OpeningHours,
  type PledgeTerms,
  UNPAID_CAUSES,
  UNPAID_INTERVALS,
  type UnpaidCause,
  type UnpaidCharge,
  type UnpaidInterval,
  type ProductTerms,
  WEEKDAYS,
  type StepProvider,
} from './lender-terms.js';
export { OMBUDSMEN, type Ombudsman, ombudsmanOf } from './ombudsman.js';
export { INSTANT_PRODUCT, ProductCatalogue } from './product-catalogue.js';
export {
  LENDER_KINDS,
  type LenderKind,
  type RemoteLender,
  type RemoteLenderLimits,
} from './remote-lender.js';
export { ServiceSettings } from './service-settings.js';
export { SettingsModule } from './settings.module.js';
export type { Configuration as AppliedFile } from './store/configuration.entity.js';
export { ConfigurationRepository, sealedGateways } from './store/configuration.repository.js';
export type { Lender } from './store/lender.entity.js';
export type { LenderLogo } from './store/lender-logo.entity.js';
export { LenderLogosRepository } from './store/lender-logos.repository.js';
export {
  LendersRepository,
  sealedClientKeys,
  sealedPaymentAccounts,
} from './store/lenders.repository.js';
export type { Product } from './store/product.entity.js';
export { ProductsRepository } from './store/products.repository.js';
export { SETTINGS_ENTITIES } from './store/settings-entities.js';
