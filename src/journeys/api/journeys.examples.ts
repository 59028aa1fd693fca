import { CONSENT_VERSION } from '../../consents/index.js';

/** They work in the sandbox. */

const APPLICANT = {
  fullName: 'Asha Verma',
  pan: 'ABCDE1234F',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 60_000,
  pinCode: '560001',
  city: 'Bengaluru',
  state: 'Karnataka',
};

const HEADLESS_LOAN = {
  channel: 'API_HEADLESS',
  productCode: 'ONLINE_PERSONAL',
  mobile: '9876543210',
  loanAmount: 200_000,
  customer: APPLICANT,
};

export const INITIATE_EXAMPLES = {
  headlessPersonalLoan: {
    summary: 'Variant A: a headless personal loan',
    value: HEADLESS_LOAN,
  },
  hostedGoldLoan: {
    summary: 'Variant A: a hosted loan against gold',
    value: {
      channel: 'API_HOSTED',
      productCode: 'ONLINE_GOLD',
      mobile: '9876543210',
      loanAmount: 100_000,
      customer: APPLICANT,
      goldLoanDetails: { jewellaryList: ['necklace', 'two bangles'], grams: '42.5' },
    },
  },
  withConsent: {
    summary: 'Variant A: the applicant agreed to our consent text in your app',
    value: {
      ...HEADLESS_LOAN,
      consent: {
        textVersion: CONSENT_VERSION,
        language: 'en',
        givenAt: '2026-01-31T15:30:00+05:30',
        lenderCodes: ['navdhara', 'kaverisetu', 'tarangudyam'],
      },
    },
  },
  mobileAndCustomer: {
    summary: 'Variant B: mobile and customer alone, the key’s defaults for the rest',
    value: {
      mobile: '9876543210',
      customer: {
        pan: 'ABCDE1234F',
        dob: '1990-04-15',
        pinCode: '560001',
        termsAccepted: true,
        firstName: 'Asha',
        lastName: 'Verma',
        personalEmail: 'asha.verma@example.com',
        annualIncome: 720_000,
      },
    },
  },
};

export const ACTION_EXAMPLES = {
  selectOffer: {
    summary: 'Select an offer',
    value: {
      kind: 'SELECT_OFFER',
      payload: { offerId: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07', loanAmount: 150_000 },
    },
  },
  selectBranch: {
    summary: 'Select the branch for the gold',
    value: {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      payload: {
        offerId: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07',
        branchLocationId: 'brn_01a1fcf153ad7174853dd701385fe9c0',
      },
    },
  },
  submitBankAccount: {
    summary: 'Submit the account that the money is paid to',
    value: {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: {
        accHolderName: 'Asha Verma',
        acctype: 'SAVINGS',
        accNo: '123456789012',
        ifscCode: 'HDFC0001234',
      },
    },
  },
};
