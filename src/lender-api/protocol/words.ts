import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { ELIGIBILITY_REASONS } from '../../lenders/index.js';
import { closedWords, openWords, text } from './primitives.js';

export const step = closedWords(REDIRECT_STEPS, 'The applicant’s current step.');

/** Never shown to applicants. */
export const detail = text(
  'For the operator; applicants never see it. No personal data.',
  500,
).optional();

export const declineReason = openWords(
  [
    'POLICY',
    'CREDIT_HISTORY',
    'INCOME',
    'AGE',
    'LOCATION',
    'AMOUNT',
    'COLLATERAL',
    'EXISTING_LOAN',
    'IDENTITY',
    'FRAUD_RISK',
    'PRODUCT_NOT_SERVED',
    'OTHER',
  ],
  'Why the lender makes no offer.',
);

export const eligibilityReason = openWords(ELIGIBILITY_REASONS, 'Why an offer is unlikely.');

export const goneReason = openWords(
  ['EXPIRED', 'AMOUNT_OUT_OF_RANGE', 'WITHDRAWN', 'OTHER'],
  'Why the offer is no longer valid.',
);

export const stepReason = openWords(
  [
    'NAME_MISMATCH',
    'DOCUMENT_NOT_READABLE',
    'DOCUMENT_EXPIRED',
    'FACE_MISMATCH',
    'BANK_DECLINED',
    'ACCOUNT_NOT_ELIGIBLE',
    'SIGNER_MISMATCH',
    'CANCELLED_BY_APPLICANT',
    'SESSION_EXPIRED',
    'PROVIDER_ERROR',
    'POLICY',
    'FRAUD_RISK',
    'OTHER',
  ],
  'Why the step was not passed.',
);

export const accountReason = openWords(
  [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_CLOSED',
    'ACCOUNT_FROZEN',
    'NAME_MISMATCH',
    'IFSC_NOT_KNOWN',
    'BANK_NOT_SERVED',
    'TYPE_NOT_ALLOWED',
    'CREDIT_NOT_ALLOWED',
    'POLICY',
    'OTHER',
  ],
  'Why the lender does not pay to this account.',
);

export const payoutReason = openWords(
  [
    'CREDIT_REJECTED',
    'SANCTION_EXPIRED',
    'MANDATE_NOT_ACTIVE',
    'DOCUMENTS_INCOMPLETE',
    'CANCELLED_BY_BORROWER',
    'POLICY',
    'FRAUD_RISK',
    'OTHER',
  ],
  'Why the loan is not paid out.',
);

export const exitReason = openWords(
  ['PERIOD_OVER', 'NOT_PAID_OUT', 'ALREADY_CLOSED', 'OTHER'],
  'Why the borrower cannot exit the loan this way.',
);

export const withdrawalReason = openWords(
  ['NOT_CHOSEN', 'ABANDONED', 'ENDED', 'OFFER_REFUSED', 'CONSENT_WITHDRAWN', 'ERASURE', 'OTHER'],
  '`NOT_CHOSEN`: another offer was chosen, possibly after yours had been. The named offer has ended, ' +
    'or the application if no offer is named. `ABANDONED`: the applicant did not continue. `ENDED`: the ' +
    'service ended the application, before or after the choice (for example all attempts of a step failed, or no ' +
    'offer could be chosen in time). ' +
    '`OFFER_REFUSED`: Rinpath’s check of the figures failed, see `refusedOffers`; your other ' +
    'offers stay valid. ' +
    '`CONSENT_WITHDRAWN`: the applicant stopped, and their data may no longer be used for this purpose. ' +
    '`ERASURE`: delete everything that the law does not require you to keep.',
);

export const offerProblem = openWords(
  [
    'REPAYMENT_KIND',
    'RATE_KIND',
    'INSTALMENT',
    'APR',
    'NET_PAYOUT',
    'SCHEDULE',
    'VALIDITY',
    'RANGE',
    'LTV',
    'FEES',
    'OTHER',
  ],
  'The invalid part of the offer. `REPAYMENT_KIND`, `RATE_KIND`: Rinpath does not support offers of ' +
    'this kind yet.',
);

export const revisionReason = openWords(
  ['GOLD_APPRAISED', 'RATE_CHANGED', 'AMOUNT_CHANGED', 'TERMS_CHANGED', 'OTHER'],
  'Why the offer was revised.',
);

export const loanEvent = openWords(
  ['REVERSED', 'EXITED', 'CLOSED', 'MANDATE_REVOKED', 'TRANSFERRED', 'OTHER'],
  '`REVERSED`: the payout was returned. `EXITED`: ended within the cooling-off period. `CLOSED`: ' +
    'repaid. `MANDATE_REVOKED`: the borrower revoked the debit mandate. `TRANSFERRED`: ' +
    'assigned to another lender.',
);

export const loanStatus = openWords(
  ['ACTIVE', 'CLOSED', 'EXITED', 'REVERSED', 'TRANSFERRED', 'OTHER'],
  'The status of the loan.',
);

export const waitingFor = openWords(
  ['APPLICANT', 'LENDER', 'OTHER'],
  'For a step: `APPLICANT` while the session is open and the applicant is not done; `LENDER` ' +
    'while the lender or its provider decides. Default: `LENDER`.',
);
