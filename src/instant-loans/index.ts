export { CreateInstantLoanService } from './api/create-instant-loan.service.js';
export { InstantLoanLinks } from './access/instant-loan-links.js';
export { InstantLoanPages, type PaymentVisit } from './applicant/instant-loan-pages.js';
export {
  type ChargeTerms,
  type ChoosableOffer,
  type InstantLoanStage,
  type InstantLoanView,
  isToCompare,
  isToPay,
  type MoneyBack,
  type OfferedLoanView,
  type OfferlessView,
} from './applicant/instant-loan-view.js';
export { FeePayments } from './fee/fee-payments.js';
export { InstantLoansModule } from './instant-loans.module.js';
export { INSTANT_LOAN_ENTITIES } from './store/instant-loans.repository.js';
