import {
  BULLET_OFFER_REFERENCE,
  GOLD_OFFER,
  INSTANT_OFFER,
  QUOTED_OFFER,
} from './offer-examples.js';

const CHOSEN = { applicationReference: 'NV-APP-51120' };

const INSTANT = {
  subject: { kind: 'INSTANT_LOAN', id: 'app_019aab3c5d7e7f0192a3b4c5d6e7f811' },
  applicationId: 'app_019aab3c5d7e7f0192a3b4c5d6e7f811',
  productCode: 'ONLINE_INSTANT',
};
const INSTANT_OFFER_REFERENCE = INSTANT_OFFER.reference;

const APPLICANT = {
  fullName: 'Asha Verma',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'SALARIED',
  monthlyIncome: 6_000_000,
  pinCode: '560001',
};
const CONSENT = { textVersion: 'lender-share-3', language: 'hi', mayCall: false };

/** Only differences from the fields' examples. */
export const MESSAGE_EXAMPLES: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  OffersRequest: {
    personal: { applicant: APPLICANT, consent: CONSENT },
    gold: {
      productCode: 'ONLINE_GOLD',
      loanAmount: 10_000_000,
      applicant: { pinCode: '400053' },
      consent: { givenBy: 'PARTNER', basis: 'TERMS_ACCEPTED' },
      gold: { grams: '42.5', items: ['necklace', 'two bangles'] },
    },
    instant: { ...INSTANT, loanAmount: 2_500_000, applicant: APPLICANT, consent: CONSENT },
  },
  QuotesRequest: { smaller: { loanAmount: QUOTED_OFFER.principal } },
  SelectionsRequest: { acknowledged: { acknowledgement: {} } },
  SessionsRequest: { kyc: CHOSEN },
  StepsRequest: { kyc: CHOSEN },
  AccountsRequest: { savings: CHOSEN },
  DisbursementsRequest: { payOut: { ...CHOSEN, accountLastFour: '7890' } },
  DecisionsRequest: {
    feePaid: {
      ...INSTANT,
      loanAmount: 2_500_000,
      applicant: APPLICANT,
      consent: CONSENT,
      offerReference: INSTANT_OFFER_REFERENCE,
      feePaid: { amount: 59_000, gatewayPaymentId: 'pay_Qf3kT0h1Zt7Lw2' },
    },
  },
  WithdrawalsRequest: {
    notChosen: { offerReference: 'NV-OFF-88213' },
    instantNotChosen: { ...INSTANT, offerReference: INSTANT_OFFER_REFERENCE },
    offerRefused: {
      reason: 'OFFER_REFUSED',
      refusedOffers: [
        { problem: 'APR', stated: '16.31', computed: '16.54' },
        { offerReference: BULLET_OFFER_REFERENCE, stated: 'BULLET' },
      ],
    },
  },
  CoolingOffExitsRequest: { leave: CHOSEN },
  OffersVerdict: {
    offeredForGold: { verdict: 'OFFERED', offers: [GOLD_OFFER] },
    offeredInstant: { verdict: 'OFFERED', offers: [INSTANT_OFFER] },
  },
  QuotesVerdict: { smaller: { verdict: 'QUOTED', offer: QUOTED_OFFER } },
  SessionsVerdict: {
    oneVisitForAll: { verdict: 'OPENED', covers: ['KYC', 'MANDATE', 'ESIGN'] },
  },
  StepsVerdict: {
    mandatePassed: { verdict: 'PASSED', evidence: { step: 'MANDATE' } },
    signed: { verdict: 'PASSED', evidence: { step: 'ESIGN' } },
  },
  CoolingOffExitsVerdict: {
    paidToAccount: { verdict: 'OPENED', payTo: { kind: 'ACCOUNT' } },
  },
  LoansVerdict: {
    active: {
      verdict: 'FOUND',
      outstandingPrincipal: 19_273_033,
      nextDue: { on: '2027-01-24', amount: 960_300 },
    },
  },
  Pending: {
    soon: { askAgainAfterSeconds: 5 },
    applicantIsOnThePage: { askAgainAfterSeconds: 30, waitingFor: 'APPLICANT' },
    mandateTakesHours: { askAgainAfterSeconds: 21_600, waitingFor: 'LENDER' },
  },
  KeySet: { one: { keys: [{ alg: 'EdDSA', use: 'sig' }] } },
  OfferRevisionsBody: { appraised: { offer: GOLD_OFFER } },
  LoanEventsBody: {
    reversed: { amount: 19_508_000, utr: 'HDFCN52026112587654321' },
    exited: { event: 'EXITED', amount: 19_525_680 },
    transferred: { event: 'TRANSFERRED', transferredTo: 'Sahyadri Bank Limited' },
  },
  StatementsBody: { oneDay: { payoutCount: 1 } },
};
