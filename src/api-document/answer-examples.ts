import { REDIRECT_STEPS } from '../journey-steps/index.js';
import type { FieldProblem } from '../platform/index.js';

const KYC = {
  type: 'REDIRECT_TO_KYC',
  category: 'REDIRECT',
  url: 'https://rinpath.example/r/token',
};
const POLL_OFFERS = { type: 'POLL_LENDER_OFFERS', category: 'POLL' };
const COMPLETED = { type: 'JOURNEY_COMPLETED', category: 'DONE' };

const OFFER = { branchLocations: [] };
const HEADLESS = { channel: 'API_HEADLESS', offers: [OFFER], selectedOffer: null };
const AT_KYC = {
  ...HEADLESS,
  state: 'KYC_PENDING',
  currentNextAction: KYC,
  selectedOffer: { ...OFFER, loanAmount: 200_000 },
};
const HANDLED = { responseStatus: 200, responseExcerpt: 'ok', failure: null };

/**
 * By operation id and example name: the summary, and the fields of `data` that differ from the schema's examples.
 * An unlisted call shows the schema's examples.
 */
export const ANSWER_EXAMPLES: Readonly<
  Record<string, Readonly<Record<string, readonly [summary: string, own: object]>>>
> = {
  disableWebhook: { answer: ['The response', { isActive: false }] },
  initiateJourney: {
    headless: [
      'A headless journey: keep journeySession, and read the journey',
      { nextAction: POLL_OFFERS, journeySession: 'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs' },
    ],
    hosted: [
      'A hosted journey: send the applicant to hostedUrl',
      {
        nextAction: { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' },
        hostedUrl: 'https://rinpath.example/hosted/start/token',
      },
    ],
  },
  readJourney: {
    waiting: [
      'Not all lenders have answered',
      { ...HEADLESS, currentNextAction: POLL_OFFERS, offers: [] },
    ],
    offers: [
      'Offers are available',
      {
        ...HEADLESS,
        state: 'OFFERS_RECEIVED',
        currentNextAction: { type: 'SELECT_OFFER', category: 'ACTION' },
        offers: [{ ...OFFER, rank: 1, metric: 'APR_ASC/5' }],
        lendersWithoutOffer: [{}],
      },
    ],
    redirect: ['Send the applicant to KYC', AT_KYC],
    rejected: [
      'Rejected, with the reason',
      {
        ...AT_KYC,
        state: 'REJECTED',
        currentNextAction: { type: 'JOURNEY_REJECTED', category: 'DONE' },
        outcome: 'REJECTED',
        outcomeReason: 'KYC_FAILED',
      },
    ],
    sanctioned: [
      'Paid out',
      {
        ...AT_KYC,
        state: 'SANCTIONED',
        currentNextAction: COMPLETED,
        outcome: 'SANCTIONED',
        disbursedAt: '2026-01-31T10:20:00.000Z',
        disbursement: {
          paidAt: '2026-01-31T10:20:00.000Z',
          loanReference: 'NAV-2026-000123',
          accountLastFour: '9012',
        },
      },
    ],
  },
  submitJourneyAction: {
    offerSelected: ['After SELECT_OFFER: send the applicant to url', { nextAction: KYC }],
  },
  signalRedirectReturned: {
    passed: [
      'The provider verified the applicant',
      { nextAction: { type: 'SUBMIT_BANK_ACCOUNT', category: 'ACTION' } },
    ],
    left: ['The applicant did not finish: the same link again', { nextAction: KYC }],
    deciding: [
      'The provider has not decided: read the journey again',
      { nextAction: { type: 'POLL_KYC_STATUS', category: 'POLL' } },
    ],
  },
  readLeadStatus: {
    journey: ['Of a journey', {}],
    instantLoan: ['Of an instant loan', { status: 'PAYMENT_PENDING' }],
    refunded: [
      'Of an instant loan that the lender declined after the payment',
      {
        status: 'REJECTED',
        reason: 'LOAN_DECLINED',
        fee: { status: 'PAID' },
        refund: { status: 'DONE' },
      },
    ],
  },
  listProducts: { answer: ['The response', { products: [{ lenders: [{}] }] }] },
  testWebhook: {
    delivered: ['The address answered 2xx', HANDLED],
    failed: [
      'The address answered with an error',
      { ...HANDLED, isDelivered: false, responseStatus: 500, responseExcerpt: 'try later' },
    ],
  },
  listWebhookDeliveries: {
    page: [
      'The last page',
      {
        deliveries: [{ status: 'SUCCEEDED', nextAttemptAt: null, attempts: [HANDLED] }],
        nextBefore: null,
      },
    ],
  },
  listEvents: {
    page: ['There are more', { events: [{ event: 'journey.offers_received', sequence: 2 }] }],
    nothing: ['Nothing new', { events: [], hasMore: false }],
  },
  moveSandboxTime: {
    arrived: ['A week later', { now: '2026-02-07T10:00:00.000Z' }],
  },
};

const AMOUNT = 'must be an amount in rupees above zero with at most two decimals';
const PAN = 'must be a PAN: five capital letters, four digits, one capital letter';

/** By operation id, for `validation_failed`. */
export const PROBLEM_EXAMPLES: Readonly<Record<string, readonly FieldProblem[]>> = {
  initiateJourney: [
    { field: 'loanAmount', message: `${AMOUNT}, as a number, not text` },
    { field: 'customer.pan', message: PAN },
    { field: 'customer.dob', message: 'is missing; it must be a date of birth as YYYY-MM-DD' },
  ],
  submitJourneyAction: [
    {
      field: 'payload.offerId',
      message:
        'is missing; it must be text of 1 to 200 characters without control characters or more than three combining marks in a row',
    },
  ],
  signalRedirectReturned: [
    { field: 'step', message: `is missing; it must be one of ${REDIRECT_STEPS.join(', ')}` },
  ],
  createInstantLoan: [
    { field: 'customer.pan', message: `is missing; it ${PAN}` },
    {
      field: 'customer.firstName',
      message: 'is missing; give it or customer.fullName',
    },
  ],
  listLeads: [{ field: 'page', message: 'must be a whole number' }],
  registerWebhook: [{ field: 'url', message: 'is missing; it must be an https URL' }],
  listEvents: [{ field: 'after', message: 'must be `next` from an earlier response of this call' }],
  listWebhookDeliveries: [{ field: 'before', message: 'must be the id of a delivery' }],
  paySandboxInstantLoan: [
    { field: 'outcome', message: 'is missing; it must be one of PAID, FAILED' },
  ],
  moveSandboxTime: [{ field: 'to', message: 'is more than 730 days ahead; start a new sandbox' }],
  recoverWebhook: [
    { field: 'since', message: 'is missing; it must be an ISO 8601 date-time with its offset' },
  ],
};
