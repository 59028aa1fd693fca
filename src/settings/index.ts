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
export { INSTANT_PRODUCT, LenderCatalogue, ProductCatalogue } from './catalogues.js';
export {
  BINDING_STEPS,
  type BindingStep,
  type ContingentCharge,
  CREDIT_BUREAUS,
  CREDIT_ENQUIRIES,
  type CreditBureau,
  type CreditEnquiry,
  type CreditReportTerms,
  type EligibilityRules,
  EMPLOYMENT_TYPES,
  type EmploymentType,
  type FeeOnDecline,
  FEES_ON_DECLINE,
  GOLD_DOCUMENTS,
  type GoldDocument,
  type GrievanceOfficer,
  type LenderBranch,
  type LenderContact,
  type LenderTerms,
  type Ombudsman,
  ombudsmanOf,
  OMBUDSMEN,
  type OpeningHours,
  type PledgeTerms,
  type ProductTerms,
  type StepProvider,
  UNPAID_CAUSES,
  UNPAID_INTERVALS,
  type UnpaidCause,
  type UnpaidCharge,
  type UnpaidInterval,
  WEEKDAYS,
} from './lender-terms.js';
export {
  LENDER_KINDS,
  type LenderKind,
  type RemoteLender,
  type RemoteLenderLimits,
} from './remote-lender.js';
export { ServiceSettings } from './service-settings.js';
export { SettingsModule } from './settings.module.js';
export type { Configuration as AppliedFile } from './store/configuration.entity.js';
export {
  ConfigurationRepository,
  sealedGateways,
  SETTINGS_ENTITIES,
} from './store/configuration.repository.js';
export type { Lender, LenderLogo } from './store/lender.entity.js';
export {
  LenderLogosRepository,
  LendersRepository,
  sealedClientKeys,
  sealedPaymentAccounts,
} from './store/lenders.repository.js';
export type { Product } from './store/product.entity.js';
export { ProductsRepository } from './store/products.repository.js';
