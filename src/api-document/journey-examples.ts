/** `data` of a call's answers, by the example's name. */
export type AnswerExamples = Readonly<Record<string, { summary: string; data: object }>>;

export const UUID = '01a1fcf153ae76b2be3e2ab68ffc4d07';
const STARTED = { journeyId: `jrn_${UUID}`, applicationId: `app_${UUID}` };
const KYC_LINK = 'https://rinpath.example/r/token';

const OFFER = {
  offerId: `off_${UUID}`,
  sellerName: 'Navdhara Capital Limited',
  principalAmount: 200_000,
  emiAmount: 6_594,
  lastEmiAmount: 6_603,
  tenure: 36,
  interestRate: 11.49,
  apr: 13.23,
  processingFees: 4_920,
  netDisbursedAmount: 195_080,
  minimumLoanAmount: 1_000,
  kfsLink: 'https://rinpath.example/kfs/token',
  validUntil: '2026-02-09T10:00:00.000Z',
  contingentCharges: [
    { name: 'Late payment', description: '2% a month on the overdue instalment' },
  ],
  coolingOffDays: 3,
  branchLocations: [],
};

const WAITING = {
  ...STARTED,
  productCode: 'ONLINE_PERSONAL',
  channel: 'API_HEADLESS',
  state: 'INITIATED',
  loanAmount: 200_000,
  loanAmountSource: 'PARTNER',
  currentNextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
  offers: [],
  selectedOffer: null,
  outcome: 'IN_PROGRESS',
  pollIntervalSeconds: 5,
  createdAt: '2026-01-31T10:00:00.000Z',
  updatedAt: '2026-01-31T10:00:00.000Z',
};

const AT_KYC = {
  ...WAITING,
  state: 'KYC_PENDING',
  currentNextAction: { type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url: KYC_LINK },
  offers: [OFFER],
  lendersWithoutOffer: [{ name: 'Tarang Udyam Finance Limited', standing: 'DECLINED' }],
  selectedOffer: { ...OFFER, loanAmount: 200_000 },
  updatedAt: '2026-01-31T10:02:00.000Z',
};

const OVER = { ...AT_KYC, updatedAt: '2026-01-31T10:20:00.000Z' };

export const JOURNEY_EXAMPLES: Readonly<Record<string, AnswerExamples>> = {
  initiateJourney: {
    headless: {
      summary: 'A headless journey: keep journeySession, and read the journey',
      data: {
        ...STARTED,
        nextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
        journeySession: 'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs',
      },
    },
    hosted: {
      summary: 'A hosted journey: send the applicant to hostedUrl',
      data: {
        ...STARTED,
        nextAction: { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' },
        hostedUrl: 'https://rinpath.example/hosted/start/token',
      },
    },
  },
  readJourney: {
    waiting: { summary: 'The lenders have not all answered', data: WAITING },
    offers: {
      summary: 'Offers to choose from',
      data: {
        ...WAITING,
        state: 'OFFERS_RECEIVED',
        currentNextAction: { type: 'SELECT_OFFER', category: 'ACTION' },
        offers: [{ ...OFFER, rank: 1, metric: 'APR_ASC/5' }],
        lendersWithoutOffer: AT_KYC.lendersWithoutOffer,
      },
    },
    redirect: { summary: 'The applicant is to be sent to KYC', data: AT_KYC },
    rejected: {
      summary: 'Rejected, with the reason',
      data: {
        ...OVER,
        state: 'REJECTED',
        currentNextAction: { type: 'JOURNEY_REJECTED', category: 'DONE' },
        outcome: 'REJECTED',
        outcomeReason: 'KYC_FAILED',
      },
    },
    sanctioned: {
      summary: 'Paid out',
      data: {
        ...OVER,
        state: 'SANCTIONED',
        currentNextAction: { type: 'JOURNEY_COMPLETED', category: 'DONE' },
        outcome: 'SANCTIONED',
        disbursedAt: '2026-01-31T10:20:00.000Z',
      },
    },
  },
  submitJourneyAction: {
    offerSelected: {
      summary: 'After SELECT_OFFER: send the applicant to url',
      data: { nextAction: { type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url: KYC_LINK } },
    },
  },
  signalRedirectReturned: {
    passed: {
      summary: 'The provider has verified the applicant',
      data: { nextAction: { type: 'SUBMIT_BANK_ACCOUNT', category: 'ACTION' } },
    },
    left: {
      summary: 'The applicant has done nothing there: the same link again',
      data: { nextAction: { type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url: KYC_LINK } },
    },
    deciding: {
      summary: 'The provider has not decided: read the journey again',
      data: { nextAction: { type: 'POLL_KYC_STATUS', category: 'POLL' } },
    },
  },
};
