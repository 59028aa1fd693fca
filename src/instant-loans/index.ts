export { FeePayments } from './fee/fee-payments.js';
export { InstantLoanErasureModule } from './erasure/instant-loan-personal-data.js';
export { InstantLoanStatements } from './operator/instant-loan-statements.js';
export { InstantLoanStatementsModule } from './operator/instant-loan-statements.js';
export { InstantLoanHistories, type InstantLoanMove } from './store/instant-loan-histories.js';
export { CreateInstantLoanService } from './api/create-instant-loan.service.js';
export { InstantKeyFacts } from './use-cases/instant-key-facts.js';
export { INSTANT_LOAN_RECORD, instantLead } from './store/instant-loan.record.js';
export { INSTANT_LOAN_AUDIT_SOURCE } from './store/instant-loan-audit.source.js';
export { UnpaidChoicesModule } from './store/unpaid-choices.js';
export { UnpaidChoices } from './store/unpaid-choices.js';
export { InstantLoanLinks } from './access/instant-loan-links.js';
export { InstantLoansModule } from './instant-loans.module.js';
export { ChosenOffers } from './applicant/chosen-offers.js';
export { InstantLoanPages, type PaymentVisit } from './applicant/instant-loan-pages.js';
export { INSTANT_PRODUCT } from './domain/instant-loan.js';
export { INSTANT_LOAN_STATUSES } from './domain/instant-loan-status.js';
export { TRANSITIONS as INSTANT_LOAN_TRANSITIONS } from './domain/transition-table.js';
export type { ChargeTerms, ComparedOffer } from './applicant/compared-offers.js';
export type { MoneyBack } from './applicant/paid-money.js';
export type { AskedLender } from './applicant/asked-lenders.js';
export {
  type InstantLoanStage,
  type InstantLoanView,
  isToCompare,
  isToPay,
  type OfferedLoanView,
} from './applicant/instant-loan-view.js';
export type { OfferlessView } from './applicant/offerless-view.js';
export { INSTANT_LOAN_ENTITIES } from './store/instant-loan-entities.js';
