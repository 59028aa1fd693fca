import type { Journey } from './partner-client.ts';

export interface LoanRequestOptions {
  productCode?: string;
  channel?: 'API_HEADLESS' | 'API_HOSTED';
  loanAmount?: number;
  mobile?: string;
  pan?: string;
  customer?: Record<string, unknown>;
}

/** A valid body of variant A: a headless personal loan of ₹2,00,000. */
export function loanRequest(options: LoanRequestOptions = {}) {
  const productCode = options.productCode ?? 'ONLINE_PERSONAL';
  return {
    channel: options.channel ?? 'API_HEADLESS',
    productCode,
    mobile: options.mobile ?? '9876543210',
    loanAmount: options.loanAmount ?? 200_000,
    customer: {
      fullName: 'Asha Verma',
      pan: options.pan ?? 'ABCDE1234F',
      dob: '1990-04-15',
      gender: 'FEMALE',
      employmentType: 'salaried',
      monthlyIncome: 60_000,
      companyName: 'Verma Textiles',
      pinCode: '560001',
      city: 'Bengaluru',
      state: 'Karnataka',
      addressL1: '12 Residency Road',
      ...options.customer,
    },
    ...(productCode === 'ONLINE_GOLD' && {
      goldLoanDetails: { jewellaryList: ['necklace', 'two bangles'], grams: '42.5' },
    }),
  };
}

/** A valid body of variant B. */
export function shortLoanRequest(customer: Record<string, unknown> = {}) {
  return {
    mobile: '9876543210',
    customer: {
      pan: 'ABCDE1234F',
      dob: '1990-04-15',
      pinCode: '560001',
      personalEmail: 'asha.verma@example.com',
      termsAccepted: true,
      firstName: 'Asha',
      lastName: 'Verma',
      monthlyIncome: 60_000,
      ...customer,
    },
  };
}

/** A bank account that the sandbox accepts. */
export const BANK_ACCOUNT = {
  accHolderName: 'Asha Verma',
  acctype: 'SAVINGS',
  accNo: '123456789012',
  ifscCode: 'HDFC0001234',
};

export type ActionKind = 'SELECT_OFFER' | 'SELECT_GOLD_LOAN_BRANCH' | 'SUBMIT_BANK_ACCOUNT';

/** A valid body for an action in the journey's current state, with its first offer. */
export function payloadOf(kind: ActionKind, journey: Journey): object {
  if (kind === 'SELECT_OFFER') return { offerId: journey.offers[0].offerId };
  if (kind === 'SUBMIT_BANK_ACCOUNT') return BANK_ACCOUNT;
  return { branchLocationId: journey.selectedOffer!.branchLocations[0].id };
}
