/** A request of the collection, with the checks and variables of its response. */
export interface Step {
  /** `operationId`, or `operationId.example`. */
  readonly request: string;
  /** The suffix of the name, if a request is sent twice. */
  readonly about?: string;
  /** An assertion on the response's status; default: `eq 200`. */
  readonly status?: string;
  /** An assertion on the response's body. */
  readonly expects: string;
  /** Variables for later requests, by their path in `data`. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** A condition on `data`. */
  readonly repeatsWhile?: string;
}

const SESSION = { journeyId: 'journeyId', journeySession: 'journeySession' };
const IS_POLL = `currentNextAction.category === 'POLL'`;
const comesNext = (type: string) => `data.nextAction.type: eq ${type}`;

/** Every call and example by folder, in an order that works on a new sandbox. */
export const ORDER: Readonly<Record<string, readonly Step[]>> = {
  Products: [{ request: 'listProducts', expects: 'data.products: isArray' }],
  Eligibility: [{ request: 'checkEligibility.salaried', expects: 'data.lenders: isArray' }],
  Journeys: [
    {
      request: 'initiateJourney.headlessPersonalLoan',
      expects: comesNext('POLL_LENDER_OFFERS'),
      keeps: SESSION,
    },
    {
      request: 'readJourney',
      expects: 'data.currentNextAction.type: isString',
      keeps: { offerId: 'offers[0]?.offerId' },
      repeatsWhile: IS_POLL,
    },
    { request: 'submitJourneyAction.selectOffer', expects: comesNext('REDIRECT_TO_KYC') },
    { request: 'signalRedirectReturned.kyc', expects: comesNext('SUBMIT_BANK_ACCOUNT') },
    { request: 'submitJourneyAction.submitBankAccount', expects: comesNext('REDIRECT_TO_MANDATE') },
    { request: 'signalRedirectReturned.mandate', expects: comesNext('REDIRECT_TO_ESIGN') },
    { request: 'signalRedirectReturned.esign', expects: comesNext('POLL_DISBURSEMENT') },
    {
      request: 'readJourney',
      about: 'Until the payout',
      expects: 'data.currentNextAction.type: isString',
      repeatsWhile: IS_POLL,
    },
    {
      request: 'initiateJourney.headlessGoldLoan',
      expects: comesNext('POLL_LENDER_OFFERS'),
      keeps: SESSION,
    },
    {
      request: 'readJourney',
      about: 'Of the gold loan',
      expects: 'data.currentNextAction.type: isString',
      keeps: {
        offerId: 'offers[0]?.offerId',
        branchLocationId: 'offers[0]?.branchLocations[0].id',
      },
      repeatsWhile: IS_POLL,
    },
    {
      request: 'submitJourneyAction.selectOffer',
      about: 'Of the gold loan',
      expects: comesNext('SELECT_GOLD_LOAN_BRANCH'),
    },
    { request: 'submitJourneyAction.selectBranch', expects: comesNext('REDIRECT_TO_KYC') },
    { request: 'initiateJourney.withConsent', expects: comesNext('POLL_LENDER_OFFERS') },
    { request: 'initiateJourney.hostedLoan', expects: 'data.hostedUrl: isString' },
  ],
  'Instant loans': [
    { request: 'createInstantLoan.least', expects: 'data.redirectUrl: isString' },
    {
      request: 'createInstantLoan.full',
      expects: 'data.redirectUrl: isString',
      keeps: { applicationId: 'applicationId', journeyId: 'journeyId' },
    },
    {
      request: 'readJourney',
      about: 'Of the instant loan',
      expects: 'data.state: isString',
      repeatsWhile: `state === 'INITIATED'`,
    },
  ],
  Leads: [
    { request: 'listLeads', expects: 'data.leads: isArray' },
    { request: 'readLeadStatus', expects: 'data.status: eq PAYMENT_PENDING' },
  ],
  Events: [{ request: 'listEvents', expects: 'data.events: isArray' }],
  Webhooks: [
    {
      request: 'registerWebhook.everyEvent',
      expects: 'data.secret: isString',
      keeps: { subscriptionId: 'subscriptionId' },
    },
    { request: 'registerWebhook.someEvents', expects: 'data.secret: isString' },
    { request: 'listWebhooks', expects: 'data.subscriptions: isArray' },
    { request: 'testWebhook', expects: 'data.isDelivered: isBoolean' },
    { request: 'disableWebhook', expects: 'data.isActive: eq false' },
    { request: 'enableWebhook', expects: 'data.isActive: eq true' },
    { request: 'rotateWebhookSecret', expects: 'data.secret: isString' },
    {
      request: 'initiateJourney.hostedLoan',
      about: 'For its first event',
      expects: 'data.journeyId: isString',
    },
    {
      request: 'listWebhookDeliveries',
      expects: 'data.deliveries: isArray',
      keeps: { deliveryId: 'deliveries[0]?.deliveryId' },
      repeatsWhile: 'deliveries.every(({ attempts }) => attempts.length === 0)',
    },
    // 409 until the delivery has failed: no server listens at the example's address.
    { request: 'redeliverWebhook', status: 'in 200, 409', expects: 'success: isBoolean' },
    { request: 'recoverWebhook.sinceTheOutage', expects: 'data.recovered: isNumber' },
    { request: 'deleteWebhook', expects: 'data.deleted: eq true' },
  ],
  Workbench: [{ request: 'createWorkbenchLink', expects: 'data.url: isString' }],
  Sandbox: [
    { request: 'paySandboxInstantLoan.failed', expects: 'data.outcome: eq FAILED' },
    {
      request: 'readLeadStatus',
      about: 'After the failed payment',
      expects: 'data.status: isString',
      repeatsWhile: `status === 'PAYMENT_PENDING'`,
    },
    { request: 'paySandboxInstantLoan.paid', expects: 'data.outcome: eq PAID' },
    {
      request: 'moveSandboxTime.week',
      expects: 'data.now: isString',
      keeps: { sandboxTime: 'now' },
    },
    { request: 'moveSandboxTime.moment', expects: 'data.now: isString' },
  ],
};
