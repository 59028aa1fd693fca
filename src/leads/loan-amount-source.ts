/** `DEFAULT`: no amount was named yet. */
export const LOAN_AMOUNT_SOURCES = ['PARTNER', 'APPLICANT', 'DEFAULT'] as const;

export type LoanAmountSource = (typeof LOAN_AMOUNT_SOURCES)[number];

/** For the API document. */
export const LOAN_AMOUNT_SOURCE_TEXT =
  'PARTNER: you sent `loanAmount`. APPLICANT: the applicant named it on our screens. DEFAULT: it is the ' +
  'product’s default, because no amount was named.';
