import type { PostedQuestionName, RequestOf } from '../protocol/questions.js';

/** By the name that the document shows. */
export type Examples<Value> = Readonly<Record<string, Value>>;

const IN_A_JOURNEY = {
  subject: { kind: 'JOURNEY', id: 'jrn_019aab3c5d7e7f0192a3b4c5d6e7f801' },
  applicationId: 'app_019aab3c5d7e7f0192a3b4c5d6e7f802',
  productCode: 'ONLINE_PERSONAL',
} as const;

const OF_AN_INSTANT_LOAN = {
  subject: { kind: 'INSTANT_LOAN', id: 'app_019aab3c5d7e7f0192a3b4c5d6e7f811' },
  applicationId: 'app_019aab3c5d7e7f0192a3b4c5d6e7f811',
  productCode: 'ONLINE_INSTANT',
} as const;

const INSTANT_OFFER_REFERENCE = 'NV-OFF-93307';

const question = (end: string) => ({ questionId: `qst_019aab3c5d7e7f0192a3b4c5d6e7${end}` });

const CHOSEN = {
  offerReference: 'NV-OFF-88213',
  applicationReference: 'NV-APP-51120',
};

const KEY_FACTS_HASH = '9f2c1de0b7a4836f5e1d20c98b7a6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e';

const ACKNOWLEDGEMENT = {
  keyFactsHash: KEY_FACTS_HASH,
  acknowledgedAt: '2026-11-24T11:42:31+05:30',
  language: 'hi',
};

const APPLICANT = {
  mobile: '9876543210',
  pan: 'ABCDE1234F',
  fullName: 'Asha Verma',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'SALARIED',
  monthlyIncome: 6_000_000,
  pinCode: '560001',
} as const;

const CONSENT = {
  givenBy: 'HOSTED',
  givenAt: '2026-11-24T11:38:02+05:30',
  textVersion: 'lender-share-3',
  language: 'hi',
  mayCall: false,
} as const;

const KYC_ATTEMPT = {
  step: 'KYC',
  stepReference: 'rdr_019aab3c5d7e7f0192a3b4c5d6e7f810',
  attempt: 1,
} as const;

export const REQUEST_EXAMPLES: {
  readonly [Name in PostedQuestionName]: Examples<RequestOf<Name>>;
} = {
  OFFERS: {
    personal: {
      ...question('f803'),
      ...IN_A_JOURNEY,
      usefulUntil: '2026-11-24T12:08:05+05:30',
      loanAmount: 20_000_000,
      applicant: APPLICANT,
      consent: CONSENT,
    },
    gold: {
      ...question('f804'),
      ...IN_A_JOURNEY,
      productCode: 'ONLINE_GOLD',
      usefulUntil: '2026-11-24T12:08:05+05:30',
      loanAmount: 10_000_000,
      applicant: { mobile: '9876543210', pan: 'ABCDE1234F', pinCode: '400053' },
      consent: {
        givenBy: 'PARTNER',
        basis: 'TERMS_ACCEPTED',
        givenAt: '2026-11-24T11:38:02+05:30',
      },
      gold: { grams: '42.5', items: ['necklace', 'two bangles'] },
    },
    instant: {
      ...question('f80f'),
      ...OF_AN_INSTANT_LOAN,
      usefulUntil: '2026-11-24T12:08:05+05:30',
      loanAmount: 2_500_000,
      applicant: APPLICANT,
      consent: CONSENT,
    },
  },
  QUOTES: {
    smaller: {
      ...question('f805'),
      ...IN_A_JOURNEY,
      offerReference: CHOSEN.offerReference,
      loanAmount: 15_000_000,
    },
  },
  SELECTIONS: {
    acknowledged: {
      ...question('f806'),
      ...IN_A_JOURNEY,
      offerReference: CHOSEN.offerReference,
      loanAmount: 20_000_000,
      keyFactsHash: KEY_FACTS_HASH,
      acknowledgement: ACKNOWLEDGEMENT,
    },
  },
  SESSIONS: {
    kyc: {
      ...question('f807'),
      ...IN_A_JOURNEY,
      ...CHOSEN,
      ...KYC_ATTEMPT,
      returnUrl: 'https://loans.rinpath.example/r/kq3Zt0h1/return',
      acknowledgement: ACKNOWLEDGEMENT,
    },
  },
  STEPS: { kyc: { ...question('f808'), ...IN_A_JOURNEY, ...CHOSEN, ...KYC_ATTEMPT } },
  ACCOUNTS: {
    savings: {
      ...question('f809'),
      ...IN_A_JOURNEY,
      ...CHOSEN,
      account: {
        holderName: 'Asha Verma',
        type: 'SAVINGS',
        number: '001234567890',
        ifsc: 'HDFC0001234',
      },
    },
  },
  DISBURSEMENTS: {
    payOut: {
      ...question('f80a'),
      ...IN_A_JOURNEY,
      ...CHOSEN,
      loanAmount: 20_000_000,
      netPayout: 19_508_000,
      keyFactsHash: KEY_FACTS_HASH,
      accountLastFour: '7890',
    },
  },
  DECISIONS: {
    feePaid: {
      ...question('f80b'),
      ...OF_AN_INSTANT_LOAN,
      loanAmount: 2_500_000,
      applicant: APPLICANT,
      consent: CONSENT,
      offerReference: INSTANT_OFFER_REFERENCE,
      keyFactsHash: KEY_FACTS_HASH,
      feePaid: {
        amount: 59_000,
        gatewayPaymentId: 'pay_Qf3kT0h1Zt7Lw2',
        paidAt: '2026-11-24T11:50:10+05:30',
      },
    },
  },
  WITHDRAWALS: {
    notChosen: {
      ...question('f80c'),
      ...IN_A_JOURNEY,
      reason: 'NOT_CHOSEN',
      offerReference: CHOSEN.offerReference,
    },
    instantNotChosen: {
      ...question('f812'),
      ...OF_AN_INSTANT_LOAN,
      reason: 'NOT_CHOSEN',
      offerReference: INSTANT_OFFER_REFERENCE,
    },
    offerRefused: {
      ...question('f80d'),
      ...IN_A_JOURNEY,
      reason: 'OFFER_REFUSED',
      refusedOffers: [
        { offerReference: 'NV-OFF-88213', problem: 'APR', stated: '16.31', computed: '16.54' },
        { offerReference: 'NV-OFF-90418', problem: 'REPAYMENT_KIND', stated: 'BULLET' },
      ],
    },
  },
  COOLING_OFF_EXITS: {
    leave: {
      ...question('f80e'),
      ...IN_A_JOURNEY,
      loanReference: 'NV-LOAN-77031',
      applicationReference: CHOSEN.applicationReference,
      requestedAt: '2026-11-26T09:15:00+05:30',
    },
  },
};
