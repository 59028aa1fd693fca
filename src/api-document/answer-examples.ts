import { REDIRECT_STEPS } from '../journey-steps/index.js';
import type { FieldProblem } from '../platform/index.js';
import { type AnswerExamples, JOURNEY_EXAMPLES, UUID } from './journey-examples.js';

const AT = '2026-01-31T10:00:00.000Z';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3bK4uXk0pQg=';
const HOOK = 'https://partner.example/hooks/loans';

const LEAD = {
  applicationId: `app_${UUID}`,
  loanType: 'ONLINE_PERSONAL',
  loanAmount: 200_000,
  loanAmountSource: 'PARTNER',
  status: 'KYC_PENDING',
  submittedAt: AT,
  journeyId: `jrn_${UUID}`,
};

const SUBSCRIPTION = {
  subscriptionId: `sub_${UUID}`,
  url: HOOK,
  subscribedEvents: ['journey.completed', 'journey.rejected'],
  isActive: true,
  failureCount: 0,
  lastDeliveryAt: AT,
};

const DELIVERY = {
  deliveryId: `dlv_${UUID}`,
  eventId: `evt_${UUID}`,
  event: 'journey.completed',
  journeyId: `jrn_${UUID}`,
  status: 'SUCCEEDED',
  createdAt: AT,
  nextAttemptAt: null,
  attempts: [
    {
      attempt: 1,
      startedAt: AT,
      durationMs: 87,
      responseStatus: 200,
      responseExcerpt: 'ok',
      failure: null,
    },
  ],
};

const EVENT = {
  id: `evt_${UUID}`,
  event: 'journey.completed',
  createdAt: AT,
  apiVersion: 'v1',
  sequence: 7,
  journeyId: `jrn_${UUID}`,
  applicationId: `app_${UUID}`,
  data: {
    productCode: 'ONLINE_PERSONAL',
    channel: 'API_HEADLESS',
    state: 'SANCTIONED',
    nextAction: { type: 'JOURNEY_COMPLETED', category: 'DONE' },
    outcome: 'SANCTIONED',
  },
};
const CURSOR = 'evc_5MF_gh759oW4p2wTI_9U5xC-yanjyzExK0eGbcSCf_E_nIqpNtgTLu7B8mX7DP4c4UZ5xg';

const TESTED = { eventId: `evt_${UUID}`, durationMs: 87, responseExcerpt: 'ok', failure: null };

/** By operation id; a call without an example fails the contract's test. */
export const ANSWER_EXAMPLES: Readonly<Record<string, AnswerExamples>> = {
  ...JOURNEY_EXAMPLES,
  listProducts: {
    products: {
      summary: 'The products of the key',
      data: {
        products: [
          {
            code: 'ONLINE_PERSONAL',
            displayName: 'Personal loan',
            category: 'Personal',
            channel: 'ONLINE',
            provider: 'Rinpath lending partners',
            icon: 'personal-loan',
          },
        ],
      },
    },
  },
  createInstantLoan: {
    created: {
      summary: 'Send the applicant to redirectUrl',
      data: {
        applicationId: `app_${UUID}`,
        journeyId: `jrn_${UUID}`,
        redirectUrl: 'https://rinpath.example/pay/token',
        smsSent: true,
      },
    },
  },
  listLeads: {
    page: { summary: 'A page of leads', data: { leads: [LEAD], total: 42, page: 1, limit: 20 } },
  },
  readLeadStatus: {
    journey: {
      summary: 'Of a journey',
      data: { applicationId: `app_${UUID}`, status: 'KYC_PENDING' },
    },
    instantLoan: {
      summary: 'Of an instant loan',
      data: { applicationId: `app_${UUID}`, status: 'PAYMENT_PENDING' },
    },
  },
  registerWebhook: {
    registered: {
      summary: 'Keep the secret: it is shown once',
      data: { subscriptionId: `sub_${UUID}`, secret: SECRET },
    },
  },
  listWebhooks: {
    subscriptions: { summary: 'One subscription', data: { subscriptions: [SUBSCRIPTION] } },
  },
  rotateWebhookSecret: { rotated: { summary: 'The new secret', data: { secret: SECRET } } },
  deleteWebhook: { deleted: { summary: 'Deleted', data: { deleted: true } } },
  enableWebhook: { enabled: { summary: 'Active again', data: SUBSCRIPTION } },
  testWebhook: {
    delivered: {
      summary: 'The address answered 2xx',
      data: { ...TESTED, isDelivered: true, responseStatus: 200 },
    },
    failed: {
      summary: 'It answered something else',
      data: { ...TESTED, isDelivered: false, responseStatus: 500, responseExcerpt: 'try later' },
    },
  },
  listWebhookDeliveries: {
    page: { summary: 'The last page', data: { deliveries: [DELIVERY], nextBefore: null } },
  },
  listEvents: {
    page: { summary: 'The last page', data: { events: [EVENT], next: CURSOR, hasMore: false } },
    nothing: { summary: 'Nothing new', data: { events: [], next: CURSOR, hasMore: false } },
  },
  redeliverWebhook: { due: { summary: 'Due again', data: { deliveryId: `dlv_${UUID}` } } },
  createWorkbenchLink: {
    fresh: {
      summary: 'A link for one of your engineers',
      data: { url: 'https://rinpath.example/workbench/enter/token', expiresAt: AT },
    },
  },
  paySandboxInstantLoan: {
    paid: {
      summary: 'Paid',
      data: { applicationId: `app_${UUID}`, outcome: 'PAID' },
    },
  },
  moveSandboxTime: {
    arrived: {
      summary: 'A week later',
      data: { from: AT, now: '2026-02-07T10:00:00.000Z', hasArrived: true },
    },
  },
  recoverWebhook: { due: { summary: 'Due again', data: { recovered: 12, hasMore: false } } },
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
      message: 'is missing; it must be given unless customer.fullName is',
    },
  ],
  listLeads: [{ field: 'page', message: 'must be a whole number' }],
  registerWebhook: [{ field: 'url', message: 'is missing; it must be an https address' }],
  listEvents: [{ field: 'after', message: 'must be `next` of an answer of this call' }],
  listWebhookDeliveries: [{ field: 'before', message: 'must be the id of a delivery' }],
  paySandboxInstantLoan: [
    { field: 'outcome', message: 'is missing; it must be one of PAID, FAILED' },
  ],
  moveSandboxTime: [
    { field: 'to', message: 'leads further than 730 days ahead; start a fresh sandbox' },
  ],
  recoverWebhook: [
    { field: 'since', message: 'is missing; it must be an ISO 8601 date-time with its offset' },
  ],
};
