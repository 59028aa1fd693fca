/**
 * The types of every call, made from docs/openapi.json by `npm run clients:generate`. Do not edit.
 */
export interface paths {
  readonly '/api/v1/partner/eligibility': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Ask which lenders are likely to make an offer
     * @description By the lenders’ published rules. Lenders that answer themselves have two seconds. No credit bureau is asked, no lender is bound, and no later journey depends on it: every lender is still asked, and an offer may differ. Send nothing that identifies the applicant; unknown fields are ignored. The answer is recorded without the applicant’s details.
     *
     *     Scope: `journeys:write`.
     */
    readonly post: operations['checkEligibility'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/events': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the events
     * @description The partner’s events of the last 30 days and the alerts on its webhooks and keys, in a stable order, with or without a registered webhook. Events are in commit order, and a journey’s events are in sequence. Pass `next` as `after` to miss none.
     *
     *     Scope: `events:read`.
     */
    readonly get: operations['listEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/instant-loans': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Create an instant personal loan application
     * @description Creates an application and asks the lenders for binding offers; responds before they do. Send the applicant to `redirectUrl` now or later. The page waits for the offers and compares them; the applicant chooses one, sees its key facts and fee, and continues to the payment gateway. The applicant also gets the link by SMS, in Hindi or English by the call’s `Accept-Language`, else in the service’s default language. `GET /leads/{applicationId}/status` returns the progress: `PAYMENT_PENDING` (waiting for offers, or for the fee), `PAYMENT_FAILED` (it can be paid again), `PAYMENT_RECEIVED` (the lender decides), then `SANCTIONED` (its payout is not reported) or `REJECTED`; `REJECTED` without a payment if no lender makes an offer; `EXPIRED` if it was not paid within 72 hours, or before its offer expired. An instant loan sends only `lead.status_changed`, to subscriptions that name it.
     *
     *     Scope: `instant-loans:write`.
     */
    readonly post: operations['createInstantLoan'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/journey/{journeyId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the state of a journey
     * @description Returns the journey with its next action, offers and outcome. A headless journey requires its session; a hosted one does not.
     *
     *     Scope: `journeys:read`.
     */
    readonly get: operations['readJourney'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/journey/{journeyId}/action': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Submit an action of the applicant
     * @description Submits the action that the journey’s next action names. Only one action runs at a time: a concurrent action, or an action of another step, gets 409. Then read the journey again. Only for headless journeys.
     *
     *     Scope: `journeys:write`.
     */
    readonly post: operations['submitJourneyAction'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/journey/{journeyId}/redirect-returned': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Report that the applicant is back from a redirect
     * @description This is a signal, not proof: the service asks the provider whether the step is done. The first return from a current or completed step gets 200. Call it when the applicant reaches your `returnUrl`, whose query has `journeyId` and `step`. If the applicant left the provider’s page too early, the response has the same redirect again. The journey session is optional here; a wrong session is refused.
     *
     *     Scope: `journeys:write`.
     */
    readonly post: operations['signalRedirectReturned'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/journey/initiate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Start a hosted or headless journey
     * @description Starts a loan journey. With `API_HOSTED` the response has `hostedUrl`, the single-use link for the applicant; with `API_HEADLESS` it has `journeySession`, which authorizes later calls. The body has two variants: A has `channel`, `productCode` and a customer with `fullName`; B requires only `mobile` and `customer`, with the key’s defaults for the rest.
     *
     *     Scope: `journeys:write`.
     */
    readonly post: operations['initiateJourney'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/leads': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List applications
     * @description The partner’s applications, newest first. An unknown `status`, `loanType`, `journeyId`, `applicationId` or `clientReferenceId` returns an empty list. A page out of range becomes the nearest page. A value that cannot be parsed is refused.
     *
     *     Scope: `leads:read`.
     */
    readonly get: operations['listLeads'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/leads/{applicationId}/status': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the status of an application
     * @description The status of one application: a journey’s or an instant loan’s.
     *
     *     Scope: `leads:read`.
     */
    readonly get: operations['readLeadStatus'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/products': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the products of the key
     * @description The loan products that the key may offer.
     *
     *     Scope: `products:read`.
     */
    readonly get: operations['listProducts'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/sandbox/instant-loans/{applicationId}/payment': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Pay an instant loan’s fee in the sandbox
     * @description Acts like an applicant on our page and the simulated payment page: acknowledges the Key Facts Statement of the chosen offer, continues to its fee, and pays or fails to pay. The simulated gateway then calls back, so `GET /leads/{applicationId}/status` returns the new status a moment later. After `FAILED` it can be paid again. An application with nothing to pay gets 409 `payment_not_due`; while lenders have not answered, `Retry-After` says when to retry. Production answers 404.
     *
     *     Scope: `sandbox:travel`.
     */
    readonly post: operations['paySandboxInstantLoan'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/sandbox/time': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Move the sandbox’s time
     * @description Moves time forward and runs everything that becomes due until then, in order: expired links and offers, abandoned journeys, cancelled payments, webhook retries. It responds when all of it is done. All partners of a sandbox share one time. Signatures use the real time: your `x-timestamp`, our `webhook-timestamp` and `Date`. After time was moved, responses have `X-Sandbox-Time`. Production answers 404.
     *
     *     Scope: `sandbox:travel`.
     */
    readonly post: operations['moveSandboxTime'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List webhooks
     * @description The partner’s subscriptions with the health of their deliveries, without secrets.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly get: operations['listWebhooks'];
    readonly put?: never;
    /**
     * Register a webhook
     * @description Subscribes a URL to events. `events` empty or left out means all events of journeys, including future ones. Alerts on webhooks and keys are sent only if named. The signing secret is in this response and its idempotent replays. If the `url` is already registered, there is a `warning`.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['registerWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Delete a webhook
     * @description Stops sending events to its URL and cancels pending deliveries.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly delete: operations['deleteWebhook'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/deliveries': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List a webhook’s deliveries
     * @description Sent and waiting deliveries, with every attempt. Finished deliveries are kept for 30 days. With `status` a page can have fewer than `limit`, or none, although there are more: continue with `nextBefore` until it is null.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly get: operations['listWebhookDeliveries'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/deliveries/{deliveryId}/redeliver': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Redeliver an event
     * @description Sends a finished delivery again, with the same event id and the same bytes.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['redeliverWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/disable': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Disable a webhook
     * @description Pauses a subscription: no post starts after the response, except of `POST /webhooks/{id}/test`. Its events wait for 30 days, until you enable it. Disabling an inactive subscription changes nothing. No alert is sent.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['disableWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/enable': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Enable a webhook
     * @description Sends to an inactive subscription again, starting with its waiting events, and resets its failure count. For an active subscription it triggers an attempt now.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['enableWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/recover': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Recover failed deliveries
     * @description Sends all exhausted and cancelled deliveries since a time again, for example after an outage of your receiver. At most 50,000 deliveries a call.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['recoverWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/rotate-secret': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Rotate a webhook’s secret
     * @description Makes a new signing secret, which is in this response and its idempotent replays. `webhook-signature` has a signature for every secret of the last 24 hours. A secret can be rotated at most ten times within 24 hours.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['rotateWebhookSecret'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/webhooks/{subscriptionId}/test': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Test a webhook
     * @description Sends a signed `webhook.test` event and returns the result, within a little more than 5 seconds, or 10 for a slow connection. The result does not count, and an inactive subscription can also be tested.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly post: operations['testWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/partner/workbench-links': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Open the workbench
     * @description Returns a single-use link to the workbench, the pages for a partner’s engineers. It opens a session of 8 hours with the partner and scopes of the key. Suspending or revoking the key ends the session. No body.
     *
     *     Scope: `workbench:open`.
     */
    readonly post: operations['createWorkbenchLink'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    readonly AmountRangeView: {
      /**
       * @description In rupees.
       * @example 500000
       */
      readonly max: number;
      /**
       * @description In rupees.
       * @example 10000
       */
      readonly min: number;
    };
    readonly AttemptView: {
      /**
       * @description Counts the attempts of this delivery from 1.
       * @example 1
       */
      readonly attempt: number;
      /**
       * @description Duration in milliseconds.
       * @example 87
       */
      readonly durationMs: number;
      /**
       * @description Why there was no usable response; null if there was one.
       * @example TIMEOUT
       */
      readonly failure: string | null;
      /**
       * @description The first kilobyte of the response, personal data masked; null without a response.
       * @example try later
       */
      readonly responseExcerpt: string | null;
      /**
       * @description The HTTP status of the response; null without a response.
       * @example 500
       */
      readonly responseStatus: number | null;
      /**
       * Format: date-time
       * @description When the attempt started.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly startedAt: string;
    };
    readonly BankAccountPayload: {
      /**
       * @description Exactly as the bank has it. At least one letter.
       * @example Asha Verma
       */
      readonly accHolderName: string;
      /**
       * @description The account number, as text.
       * @example 123456789012
       */
      readonly accNo: string;
      /**
       * @description Case-insensitive; SAVING, SB and CA are accepted.
       * @example SAVINGS
       * @enum {string}
       */
      readonly acctype: 'SAVINGS' | 'CURRENT';
      /**
       * @description The branch’s IFSC; lower case is accepted.
       * @example HDFC0001234
       */
      readonly ifscCode: string;
    };
    readonly BranchLocationView: {
      /**
       * @description Its address.
       * @example 14 Veera Desai Road, Andheri West, Mumbai 400053
       */
      readonly address: string;
      /**
       * @description The branch’s name.
       * @example Andheri West
       */
      readonly branchName: string;
      /**
       * @description The branchLocationId for SELECT_GOLD_LOAN_BRANCH.
       * @example brn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
      /** @description Whether the applicant brings the gold here. */
      readonly isSelected: boolean;
      /**
       * @description Degrees north.
       * @example 19.1364
       */
      readonly latitude: number;
      /**
       * @description Degrees east.
       * @example 72.8296
       */
      readonly longitude: number;
    };
    readonly ContingentChargeView: {
      /**
       * @description The amount or rate, and when it applies.
       * @example 2% a month on the overdue instalment
       */
      readonly description: string;
      /**
       * @description The reason for the charge.
       * @example Late payment
       */
      readonly name: string;
    };
    readonly CreatedInstantLoan: {
      /**
       * @description The application; GET /leads/{applicationId}/status returns its status.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description Its journey; GET /journey/{journeyId} returns it.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /**
       * Format: uri
       * @description Send the applicant here: offers, key facts and fee, then the payment gateway’s page. The applicant also gets this link by SMS.
       * @example https://rinpath.example/pay/token
       */
      readonly redirectUrl: string;
      /** @description Whether the gateway took the SMS within two seconds. If not, it is retried in the background, unless the mobile has reached its daily limit of texts. The application is valid either way. */
      readonly smsSent: boolean;
    };
    readonly CustomerA:
      | {
          /**
           * @description First line of the address. A line break becomes a space.
           * @example 12 Residency Road
           */
          readonly addressL1?: string;
          /**
           * @description Second line of the address. A line break becomes a space.
           * @example Ashok Nagar
           */
          readonly addressL2?: string;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome?: number;
          /** @example Bengaluru */
          readonly city?: string;
          /**
           * @description Employer or own business.
           * @example Verma Textiles
           */
          readonly companyName?: string;
          /**
           * @description Date of birth, YYYY-MM-DD; the applicant must be 18 or older.
           * @example 1990-04-15
           */
          readonly dob: string;
          /**
           * @example salaried
           * @enum {string}
           */
          readonly employmentType: 'salaried' | 'selfEmployed';
          /**
           * @description As on the PAN. At least one letter.
           * @example Asha Verma
           */
          readonly fullName: string;
          /**
           * @example FEMALE
           * @enum {string}
           */
          readonly gender: 'MALE' | 'FEMALE' | 'OTHER';
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome: number;
          /**
           * @description The applicant’s Permanent Account Number.
           * @example ABCDE1234F
           */
          readonly pan: string;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode: string;
          /** @example Karnataka */
          readonly state?: string;
          /**
           * @description Udyam registration, for businesses.
           * @example UDYAM-KA-01-0000001
           */
          readonly udyamNumber?: string;
        }
      | {
          /**
           * @description First line of the address. A line break becomes a space.
           * @example 12 Residency Road
           */
          readonly addressL1?: string;
          /**
           * @description Second line of the address. A line break becomes a space.
           * @example Ashok Nagar
           */
          readonly addressL2?: string;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome: number;
          /** @example Bengaluru */
          readonly city?: string;
          /**
           * @description Employer or own business.
           * @example Verma Textiles
           */
          readonly companyName?: string;
          /**
           * @description Date of birth, YYYY-MM-DD; the applicant must be 18 or older.
           * @example 1990-04-15
           */
          readonly dob: string;
          /**
           * @example salaried
           * @enum {string}
           */
          readonly employmentType: 'salaried' | 'selfEmployed';
          /**
           * @description As on the PAN. At least one letter.
           * @example Asha Verma
           */
          readonly fullName: string;
          /**
           * @example FEMALE
           * @enum {string}
           */
          readonly gender: 'MALE' | 'FEMALE' | 'OTHER';
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome?: number;
          /**
           * @description The applicant’s Permanent Account Number.
           * @example ABCDE1234F
           */
          readonly pan: string;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode: string;
          /** @example Karnataka */
          readonly state?: string;
          /**
           * @description Udyam registration, for businesses.
           * @example UDYAM-KA-01-0000001
           */
          readonly udyamNumber?: string;
        };
    readonly CustomerB:
      | {
          /**
           * @description First line of the address. A line break becomes a space.
           * @example 12 Residency Road
           */
          readonly addressL1?: string;
          /**
           * @description Second line of the address. A line break becomes a space.
           * @example Ashok Nagar
           */
          readonly addressL2?: string;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome?: number;
          /** @example Bengaluru */
          readonly city?: string;
          /**
           * @description Employer or own business.
           * @example Verma Textiles
           */
          readonly companyName?: string;
          /**
           * @description Date of birth, YYYY-MM-DD; the applicant must be 18 or older.
           * @example 1990-04-15
           */
          readonly dob: string;
          /**
           * @description The purpose of the loan.
           * @example Home repairs
           */
          readonly endUse?: string;
          /**
           * @description At least one letter.
           * @example Asha
           */
          readonly firstName?: string;
          /**
           * @description At least one letter.
           * @example Verma
           */
          readonly lastName?: string;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome: number;
          /**
           * Format: email
           * @example asha@vermatextiles.example
           */
          readonly officialEmail?: string;
          /**
           * @description The applicant’s Permanent Account Number.
           * @example ABCDE1234F
           */
          readonly pan: string;
          /**
           * Format: email
           * @example asha.verma@example.com
           */
          readonly personalEmail?: string;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode: string;
          /** @example Karnataka */
          readonly state?: string;
          /**
           * @description The applicant has accepted the terms.
           * @enum {boolean}
           */
          readonly termsAccepted: true;
        }
      | {
          /**
           * @description First line of the address. A line break becomes a space.
           * @example 12 Residency Road
           */
          readonly addressL1?: string;
          /**
           * @description Second line of the address. A line break becomes a space.
           * @example Ashok Nagar
           */
          readonly addressL2?: string;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome: number;
          /** @example Bengaluru */
          readonly city?: string;
          /**
           * @description Employer or own business.
           * @example Verma Textiles
           */
          readonly companyName?: string;
          /**
           * @description Date of birth, YYYY-MM-DD; the applicant must be 18 or older.
           * @example 1990-04-15
           */
          readonly dob: string;
          /**
           * @description The purpose of the loan.
           * @example Home repairs
           */
          readonly endUse?: string;
          /**
           * @description At least one letter.
           * @example Asha
           */
          readonly firstName?: string;
          /**
           * @description At least one letter.
           * @example Verma
           */
          readonly lastName?: string;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome?: number;
          /**
           * Format: email
           * @example asha@vermatextiles.example
           */
          readonly officialEmail?: string;
          /**
           * @description The applicant’s Permanent Account Number.
           * @example ABCDE1234F
           */
          readonly pan: string;
          /**
           * Format: email
           * @example asha.verma@example.com
           */
          readonly personalEmail?: string;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode: string;
          /** @example Karnataka */
          readonly state?: string;
          /**
           * @description The applicant has accepted the terms.
           * @enum {boolean}
           */
          readonly termsAccepted: true;
        };
    readonly DeletedSubscription: {
      /**
       * @description Always true.
       * @enum {boolean}
       */
      readonly deleted: true;
    };
    readonly DeliveryPage: {
      /** @description Newest first. */
      readonly deliveries: readonly components['schemas']['DeliveryView'][];
      /**
       * @description Unknown query parameters, which were ignored; absent if there were none.
       * @example [
       *       "journeyID"
       *     ]
       */
      readonly ignoredParameters?: readonly string[];
      /**
       * @description `before` for the next page; null on the last page.
       * @example dlv_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly nextBefore: string | null;
    };
    readonly DeliveryView: {
      /** @description The attempts so far, oldest first. */
      readonly attempts: readonly components['schemas']['AttemptView'][];
      /**
       * Format: date-time
       * @description When the event happened.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /**
       * @description The delivery.
       * @example dlv_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly deliveryId: string;
      /**
       * @description The event’s name.
       * @example journey.completed
       */
      readonly event: string;
      /**
       * @description The event’s id, as in the delivery’s body and headers.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly eventId: string;
      /**
       * @description The event’s journey; null for an alert.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string | null;
      /**
       * Format: date-time
       * @description The earliest time of the next attempt; null once finished.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly nextAttemptAt: string | null;
      /**
       * @description PENDING: waiting or being sent. PAUSED: waits for its subscription to be enabled. EXHAUSTED: all attempts failed. CANCELLED: waited for 30 days, or the subscription was deleted.
       * @example PENDING
       * @enum {string}
       */
      readonly status: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED' | 'CANCELLED' | 'PAUSED';
    };
    readonly DisabledEndpointView: {
      /**
       * Format: date-time
       * @description When sending stopped; pending events are kept for 30 days.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly disabledAt: string;
      /**
       * @description Consecutive failed attempts.
       * @example 24
       */
      readonly failureCount: number;
      /**
       * @description GONE: it answered 410. FAILING: at least 20 consecutive failures over three days.
       * @example GONE
       * @enum {string}
       */
      readonly reason: 'GONE' | 'FAILING';
      /**
       * @description The subscription.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
    };
    readonly DisbursementView: {
      /**
       * @description The last four digits of the account, if the lender reported them.
       * @example 9012
       */
      readonly accountLastFour?: string;
      /**
       * @description The amount paid out, in rupees.
       * @example 195080
       */
      readonly amount: number;
      /**
       * @description The lender’s number of the loan, if it reported one.
       * @example NAV-2026-000123
       */
      readonly loanReference?: string;
      /**
       * Format: date-time
       * @description When the lender paid out.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly paidAt: string;
      /**
       * @description The bank’s reference of the transfer (UTR).
       * @example HDFCR52026013112345678
       */
      readonly utr: string;
    };
    readonly EligibilityBody:
      | {
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome?: number;
          /**
           * @example salaried
           * @enum {string}
           */
          readonly employmentType: 'salaried' | 'selfEmployed';
          /**
           * @description In rupees, at most two decimals, within the range of the product.
           * @example 200000
           */
          readonly loanAmount: number;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome: number;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode: string;
          /**
           * @example ONLINE_PERSONAL
           * @enum {string}
           */
          readonly productCode:
            | 'ONLINE_PERSONAL'
            | 'ONLINE_SHORT_TERM'
            | 'ONLINE_BUSINESS'
            | 'ONLINE_GOLD'
            | 'ONLINE_INSTANT';
        }
      | {
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome: number;
          /**
           * @example salaried
           * @enum {string}
           */
          readonly employmentType: 'salaried' | 'selfEmployed';
          /**
           * @description In rupees, at most two decimals, within the range of the product.
           * @example 200000
           */
          readonly loanAmount: number;
          /**
           * @description In rupees; give monthlyIncome or annualIncome. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome?: number;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode: string;
          /**
           * @example ONLINE_PERSONAL
           * @enum {string}
           */
          readonly productCode:
            | 'ONLINE_PERSONAL'
            | 'ONLINE_SHORT_TERM'
            | 'ONLINE_BUSINESS'
            | 'ONLINE_GOLD'
            | 'ONLINE_INSTANT';
        };
    readonly EligibilityView: {
      /**
       * @description Names the record of this answer.
       * @example elg_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly eligibilityId: string;
      /** @description Every lender of the product, in the alphabetical order of the codes. */
      readonly lenders: readonly components['schemas']['LenderEligibilityView'][];
      /**
       * @description The amount in the request, in rupees.
       * @example 200000
       */
      readonly loanAmount: number;
      /**
       * @description The product in the request.
       * @example ONLINE_PERSONAL
       */
      readonly productCode: string;
    };
    readonly EndpointDisabledView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * Format: date-time
       * @description When the problem was detected.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The subscription, and the cause. */
      readonly data: components['schemas']['DisabledEndpointView'];
      /**
       * @description What happened.
       * @example webhook.endpoint_disabled
       * @enum {string}
       */
      readonly event: 'webhook.endpoint_disabled';
      /**
       * @description The alert, the same on every attempt and for every subscription.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
    };
    readonly EndpointFailingView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * Format: date-time
       * @description When the problem was detected.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The subscription, and how it fails. */
      readonly data: components['schemas']['FailingEndpointView'];
      /**
       * @description What happened.
       * @example webhook.endpoint_failing
       * @enum {string}
       */
      readonly event: 'webhook.endpoint_failing';
      /**
       * @description The alert, the same on every attempt and for every subscription.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
    };
    readonly EventDataView: {
      /**
       * @description Hosted or headless.
       * @example API_HEADLESS
       * @enum {string}
       */
      readonly channel: 'API_HEADLESS' | 'API_HOSTED';
      /**
       * @description Your own reference, if you sent one.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /** @description The next action at that time. */
      readonly nextAction: components['schemas']['EventNextActionView'];
      /**
       * @description How the journey ended, or IN_PROGRESS.
       * @example IN_PROGRESS
       * @enum {string}
       */
      readonly outcome: 'IN_PROGRESS' | 'SANCTIONED' | 'REJECTED' | 'ABANDONED';
      /**
       * @description Why it ended, if there is a reason.
       * @example NO_OFFERS
       */
      readonly outcomeReason?: string;
      /**
       * @description The catalogue’s code.
       * @example ONLINE_PERSONAL
       */
      readonly productCode: string;
      /**
       * @description The journey’s state.
       * @example OFFERS_RECEIVED
       * @enum {string}
       */
      readonly state:
        | 'INITIATED'
        | 'OFFERS_RECEIVED'
        | 'OFFER_SELECTED'
        | 'FEE_PENDING'
        | 'KYC_PENDING'
        | 'BANK_ACCOUNT_PENDING'
        | 'MANDATE_PENDING'
        | 'ESIGN_PENDING'
        | 'DECISION_PENDING'
        | 'DISBURSEMENT_PENDING'
        | 'SANCTIONED'
        | 'REJECTED'
        | 'ABANDONED';
    };
    readonly EventNextActionView: {
      /**
       * @description What the caller must do.
       * @example ACTION
       * @enum {string}
       */
      readonly category: 'POLL' | 'REDIRECT' | 'ACTION' | 'WAIT' | 'DONE';
      /**
       * @description The step.
       * @example SELECT_OFFER
       * @enum {string}
       */
      readonly type:
        | 'WAITING_FOR_REDIRECT'
        | 'POLL_LENDER_OFFERS'
        | 'SELECT_OFFER'
        | 'SELECT_GOLD_LOAN_BRANCH'
        | 'REDIRECT_TO_FEE'
        | 'POLL_FEE_STATUS'
        | 'REDIRECT_TO_KYC'
        | 'POLL_KYC_STATUS'
        | 'SUBMIT_BANK_ACCOUNT'
        | 'REDIRECT_TO_MANDATE'
        | 'POLL_MANDATE_STATUS'
        | 'REDIRECT_TO_ESIGN'
        | 'POLL_ESIGN_STATUS'
        | 'POLL_DISBURSEMENT'
        | 'JOURNEY_COMPLETED'
        | 'JOURNEY_REJECTED'
        | 'JOURNEY_ABANDONED';
    };
    readonly EventsPage: {
      /** @description Events and alerts, each exactly like the body of its webhook. */
      readonly events: readonly (
        | components['schemas']['WebhookEventView']
        | components['schemas']['LeadEventView']
        | components['schemas']['EndpointFailingView']
        | components['schemas']['EndpointDisabledView']
        | components['schemas']['KeyLimitNearView']
      )[];
      /** @description Whether there are more now; if not, poll later. */
      readonly hasMore: boolean;
      /**
       * @description Unknown query parameters, which were ignored; absent if there were none.
       * @example [
       *       "journeyID"
       *     ]
       */
      readonly ignoredParameters?: readonly string[];
      /**
       * @description `after` for the next call, also if this page is empty.
       * @example evc_5MF_gh759oW4p2wTI_9U5xC-yanjyzExK0eGbcSCf_E_nIqpNtgTLu7B8mX7DP4c4UZ5xg
       */
      readonly next: string;
    };
    readonly FailingEndpointView: {
      /**
       * Format: date-time
       * @description When the first of the consecutive failures happened.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly failingSince: string;
      /**
       * @description Consecutive failed attempts.
       * @example 5
       */
      readonly failureCount: number;
      /**
       * @description The subscription.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
    };
    readonly Failure: {
      /**
       * @description Stable and machine-readable.
       * @enum {string}
       */
      readonly code:
        | 'malformed_credentials'
        | 'invalid_signature'
        | 'nonce_reused'
        | 'journey_session_missing'
        | 'journey_session_invalid'
        | 'key_suspended'
        | 'key_revoked'
        | 'partner_suspended'
        | 'scope_missing'
        | 'form_expired'
        | 'product_not_assigned'
        | 'rate_limited'
        | 'rotation_limit_reached'
        | 'route_not_found'
        | 'journey_not_found'
        | 'application_not_found'
        | 'subscription_not_found'
        | 'delivery_not_found'
        | 'product_unavailable'
        | 'link_not_found'
        | 'malformed_json'
        | 'malformed_request'
        | 'validation_failed'
        | 'subscription_limit_reached'
        | 'method_not_allowed'
        | 'unsupported_media_type'
        | 'cursor_expired'
        | 'body_too_large'
        | 'request_timeout'
        | 'headers_too_large'
        | 'wrong_step'
        | 'action_in_flight'
        | 'hosted_journey'
        | 'offer_expired'
        | 'key_facts_changed'
        | 'delivery_not_finished'
        | 'subscription_inactive'
        | 'return_already_seen'
        | 'idempotency_key_reused'
        | 'idempotency_in_flight'
        | 'payment_not_due'
        | 'time_travel_in_progress'
        | 'internal_error'
        | 'lender_unavailable'
        | 'service_unavailable';
      /** @description Every invalid field, when `code` is `validation_failed`. */
      readonly details?: readonly {
        /** @description Dotted path from the body’s root: `customer.pan`. */
        readonly field: string;
        /** @description The rule that the value must follow. */
        readonly message: string;
      }[];
      /**
       * Format: uri
       * @description What this code means and what to do.
       */
      readonly docs?: string;
      /** @description For people; the wording may change. */
      readonly error: string;
      /** @description Only in the sandbox, for a refused key or signature: the likely error, what the server signed, and the clock’s difference. */
      readonly hint?: string;
      /** @description Where the journey is, when `code` is `wrong_step`. */
      readonly journey?: {
        /** @description The type of its next action. */
        readonly nextAction: string;
        readonly state: string;
      };
      /** @description As in `X-Request-Id`; name it to support. */
      readonly requestId?: string;
      /** @enum {boolean} */
      readonly success: false;
    };
    readonly GivenConsent: {
      /**
       * Format: date-time
       * @description When the applicant agreed; at most 30 days ago, not in the future.
       * @example 2026-01-31T15:30:00+05:30
       */
      readonly givenAt: string;
      /**
       * @description The language in which it was displayed.
       * @example en
       * @enum {string}
       */
      readonly language: 'en' | 'hi';
      /**
       * @description The codes of the lenders that the text named (`GET /products`), in its order. Only these are asked. If left out, the consent is recorded as the partner’s attestation, not as consent to the text.
       * @example [
       *       "kaverisetu",
       *       "navdhara"
       *     ]
       */
      readonly lenderCodes?: readonly string[];
      /**
       * @description The version of the consent text that the applicant agreed to.
       * @example 7
       * @enum {string}
       */
      readonly textVersion: '7';
    };
    readonly GoldLoanDetails: {
      /**
       * @description The coins’ part of `grams`, if known: at most 50 g (RBI (Lending Against Gold and Silver Collateral) Directions, 2025). It is validated and not stored.
       * @example 8
       */
      readonly coinGrams?: string;
      /**
       * @description The gold’s weight in grams, as decimal text above zero, with at most 7 digits before the point and 4 after it. Ornaments: at most 1,000 g (RBI (Lending Against Gold and Silver Collateral) Directions, 2025), or less if the operator has set less.
       * @example 42.5
       */
      readonly grams: string;
      /**
       * @description A description of each piece.
       * @example [
       *       "necklace",
       *       "two bangles"
       *     ]
       */
      readonly jewellaryList: readonly string[];
    };
    readonly InitiateBodyA: {
      /**
       * @description API_HOSTED: the applicant goes through our screens. API_HEADLESS: your app drives each step.
       * @example API_HEADLESS
       * @enum {string}
       */
      readonly channel: 'API_HOSTED' | 'API_HEADLESS';
      /**
       * @description Your own reference. It is returned with the loan, its lead and its events.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /** @description For a partner that displays our consent text. If left out or null, `termsAccepted` or the partner’s agreement is recorded as the partner’s attestation of consent. */
      readonly consent?: components['schemas']['GivenConsent'];
      readonly customer: components['schemas']['CustomerA'];
      /** @description Required for ONLINE_GOLD, ignored for every other product. */
      readonly goldLoanDetails?: components['schemas']['GoldLoanDetails'];
      /**
       * @description In rupees, at most two decimals, within the range of the product.
       * @example 200000
       */
      readonly loanAmount: number;
      /**
       * @description Your own data, at most 20 pairs. It is returned as sent.
       * @example {
       *       "campaign": "diwali",
       *       "branch": "pune-4"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      };
      /**
       * @description The applicant’s mobile number, ten digits without a country code.
       * @example 9876543210
       */
      readonly mobile: string;
      /**
       * @example ONLINE_PERSONAL
       * @enum {string}
       */
      readonly productCode:
        | 'ONLINE_PERSONAL'
        | 'ONLINE_SHORT_TERM'
        | 'ONLINE_BUSINESS'
        | 'ONLINE_GOLD';
      /**
       * @description Where the applicant returns to your app, instead of your default. Its origin must be one that the operator allowed for you.
       * @example https://app.example/loans/back?order=A-1042
       */
      readonly returnUrl?: string;
    };
    readonly InitiateBodyB: {
      /**
       * @description API_HOSTED: the applicant goes through our screens. API_HEADLESS: your app drives each step.
       * @example API_HEADLESS
       * @enum {string}
       */
      readonly channel?: 'API_HOSTED' | 'API_HEADLESS';
      /**
       * @description Your own reference. It is returned with the loan, its lead and its events.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /** @description For a partner that displays our consent text. If left out or null, `termsAccepted` or the partner’s agreement is recorded as the partner’s attestation of consent. */
      readonly consent?: components['schemas']['GivenConsent'];
      readonly customer: components['schemas']['CustomerB'];
      /** @description Required for ONLINE_GOLD, ignored for every other product. */
      readonly goldLoanDetails?: components['schemas']['GoldLoanDetails'];
      /**
       * @description In rupees, at most two decimals, within the range of the product. If left out, a hosted journey asks the applicant; a headless one uses the product’s default.
       * @example 200000
       */
      readonly loanAmount?: number;
      /**
       * @description Your own data, at most 20 pairs. It is returned as sent.
       * @example {
       *       "campaign": "diwali",
       *       "branch": "pune-4"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      };
      /**
       * @description The applicant’s mobile number, ten digits without a country code.
       * @example 9876543210
       */
      readonly mobile: string;
      /**
       * @description Default: the key’s product. PERSONAL_LOAN and GOLD_LOAN are older names.
       * @example ONLINE_PERSONAL
       * @enum {string}
       */
      readonly productCode?:
        | 'ONLINE_PERSONAL'
        | 'ONLINE_SHORT_TERM'
        | 'ONLINE_BUSINESS'
        | 'ONLINE_GOLD'
        | 'PERSONAL_LOAN'
        | 'GOLD_LOAN';
      /**
       * @description Where the applicant returns to your app, instead of your default. Its origin must be one that the operator allowed for you.
       * @example https://app.example/loans/back?order=A-1042
       */
      readonly returnUrl?: string;
    };
    readonly InstantCustomer:
      | {
          /**
           * @description First line of the address. A line break becomes a space.
           * @example 12 Residency Road
           */
          readonly addressL1?: string;
          /**
           * @description Second line of the address. A line break becomes a space.
           * @example Ashok Nagar
           */
          readonly addressL2?: string;
          /**
           * @description In rupees. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome?: number;
          /** @example Bengaluru */
          readonly city?: string;
          /**
           * @description Employer or own business.
           * @example Verma Textiles
           */
          readonly companyName?: string;
          /**
           * @description Date of birth, YYYY-MM-DD; the applicant must be 18 or older.
           * @example 1990-04-15
           */
          readonly dob?: string;
          /**
           * @example salaried
           * @enum {string}
           */
          readonly employmentType?: 'salaried' | 'selfEmployed';
          /**
           * @description The purpose of the loan.
           * @example Home repairs
           */
          readonly endUse?: string;
          /**
           * @description At least one letter.
           * @example Asha
           */
          readonly firstName: string;
          /**
           * @description As on the PAN. At least one letter.
           * @example Asha Verma
           */
          readonly fullName?: string;
          /**
           * @example FEMALE
           * @enum {string}
           */
          readonly gender?: 'MALE' | 'FEMALE' | 'OTHER';
          /**
           * @description At least one letter.
           * @example Verma
           */
          readonly lastName?: string;
          /**
           * @description In rupees. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome?: number;
          /**
           * Format: email
           * @example asha@vermatextiles.example
           */
          readonly officialEmail?: string;
          /**
           * @description The applicant’s Permanent Account Number.
           * @example ABCDE1234F
           */
          readonly pan: string;
          /**
           * Format: email
           * @example asha.verma@example.com
           */
          readonly personalEmail?: string;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode?: string;
          /** @example Karnataka */
          readonly state?: string;
          /**
           * @description The applicant has accepted the terms.
           * @enum {boolean}
           */
          readonly termsAccepted?: true;
          /**
           * @description Udyam registration, for businesses.
           * @example UDYAM-KA-01-0000001
           */
          readonly udyamNumber?: string;
        }
      | {
          /**
           * @description First line of the address. A line break becomes a space.
           * @example 12 Residency Road
           */
          readonly addressL1?: string;
          /**
           * @description Second line of the address. A line break becomes a space.
           * @example Ashok Nagar
           */
          readonly addressL2?: string;
          /**
           * @description In rupees. 0 counts as left out if the other income is given.
           * @example 720000
           */
          readonly annualIncome?: number;
          /** @example Bengaluru */
          readonly city?: string;
          /**
           * @description Employer or own business.
           * @example Verma Textiles
           */
          readonly companyName?: string;
          /**
           * @description Date of birth, YYYY-MM-DD; the applicant must be 18 or older.
           * @example 1990-04-15
           */
          readonly dob?: string;
          /**
           * @example salaried
           * @enum {string}
           */
          readonly employmentType?: 'salaried' | 'selfEmployed';
          /**
           * @description The purpose of the loan.
           * @example Home repairs
           */
          readonly endUse?: string;
          /**
           * @description At least one letter.
           * @example Asha
           */
          readonly firstName?: string;
          /**
           * @description As on the PAN. At least one letter.
           * @example Asha Verma
           */
          readonly fullName: string;
          /**
           * @example FEMALE
           * @enum {string}
           */
          readonly gender?: 'MALE' | 'FEMALE' | 'OTHER';
          /**
           * @description At least one letter.
           * @example Verma
           */
          readonly lastName?: string;
          /**
           * @description In rupees. 0 counts as left out if the other income is given.
           * @example 60000
           */
          readonly monthlyIncome?: number;
          /**
           * Format: email
           * @example asha@vermatextiles.example
           */
          readonly officialEmail?: string;
          /**
           * @description The applicant’s Permanent Account Number.
           * @example ABCDE1234F
           */
          readonly pan: string;
          /**
           * Format: email
           * @example asha.verma@example.com
           */
          readonly personalEmail?: string;
          /**
           * @description The PIN code of the applicant’s address.
           * @example 560001
           */
          readonly pinCode?: string;
          /** @example Karnataka */
          readonly state?: string;
          /**
           * @description The applicant has accepted the terms.
           * @enum {boolean}
           */
          readonly termsAccepted?: true;
          /**
           * @description Udyam registration, for businesses.
           * @example UDYAM-KA-01-0000001
           */
          readonly udyamNumber?: string;
        };
    readonly InstantLoanBody: {
      /**
       * @description Your own reference. It is returned with the loan, its lead and its events.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /** @description For a partner that displays our consent text. If left out or null, `termsAccepted` or the partner’s agreement is recorded as the partner’s attestation of consent. */
      readonly consent?: components['schemas']['GivenConsent'];
      readonly customer: components['schemas']['InstantCustomer'];
      /**
       * @description In rupees, within the product’s range. Default: the product’s default amount.
       * @example 25000
       */
      readonly loanAmount?: number;
      /**
       * @description Your own data, at most 20 pairs. It is returned as sent.
       * @example {
       *       "campaign": "diwali",
       *       "branch": "pune-4"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      };
      /**
       * @description The applicant’s mobile number, ten digits without a country code.
       * @example 9876543210
       */
      readonly mobile: string;
      /**
       * @description Where the applicant returns to your app, instead of your default. Its origin must be one that the operator allowed for you.
       * @example https://app.example/loans/back?order=A-1042
       */
      readonly returnUrl?: string;
    };
    readonly JourneyView: {
      /**
       * @description The journey’s lead.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description Hosted or headless.
       * @example API_HOSTED
       * @enum {string}
       */
      readonly channel: 'API_HOSTED' | 'API_HEADLESS';
      /**
       * @description Your own reference, if you sent one.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /**
       * Format: date-time
       * @description When the journey started.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The next step. */
      readonly currentNextAction: components['schemas']['NextActionView'];
      /**
       * Format: date-time
       * @description When the lender paid out; none for an instant loan.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly disbursedAt?: string;
      /** @description The payout, once the journey is `SANCTIONED`. An instant loan has none: lenders do not report it. */
      readonly disbursement?: components['schemas']['DisbursementView'];
      /**
       * @description The journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /** @description Lenders that were asked but have no offer, once offers are available. */
      readonly lendersWithoutOffer?: readonly components['schemas']['LenderWithoutOfferView'][];
      /**
       * @description The requested amount, in rupees.
       * @example 200000
       */
      readonly loanAmount: number;
      /**
       * @description PARTNER: you sent `loanAmount`. APPLICANT: the applicant entered it on our screens. DEFAULT: the product’s default amount.
       * @example PARTNER
       * @enum {string}
       */
      readonly loanAmountSource: 'PARTNER' | 'APPLICANT' | 'DEFAULT';
      /**
       * @description Your own data, if you sent it.
       * @example {
       *       "campaign": "diwali"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      };
      /** @description The lenders’ offers, lowest APR first. */
      readonly offers: readonly components['schemas']['OfferView'][];
      /**
       * @description How the journey ended, or IN_PROGRESS.
       * @example IN_PROGRESS
       * @enum {string}
       */
      readonly outcome: 'IN_PROGRESS' | 'SANCTIONED' | 'REJECTED' | 'ABANDONED';
      /**
       * @description Why it was rejected, or that the applicant stopped it.
       * @example NO_OFFERS
       * @enum {string}
       */
      readonly outcomeReason?:
        | 'NO_OFFERS'
        | 'LENDERS_UNAVAILABLE'
        | 'PAYMENT_EXPIRED'
        | 'KYC_FAILED'
        | 'BANK_ACCOUNT_FAILED'
        | 'MANDATE_FAILED'
        | 'ESIGN_DECLINED'
        | 'LOAN_DECLINED'
        | 'DISBURSEMENT_FAILED'
        | 'CONSENT_WITHDRAWN';
      /**
       * @description Seconds to wait before reading the journey again.
       * @example 2
       */
      readonly pollIntervalSeconds: number;
      /**
       * @description The catalogue’s code, even if you sent an older name.
       * @example ONLINE_PERSONAL
       * @enum {string}
       */
      readonly productCode:
        | 'ONLINE_PERSONAL'
        | 'ONLINE_SHORT_TERM'
        | 'ONLINE_BUSINESS'
        | 'ONLINE_GOLD'
        | 'ONLINE_INSTANT';
      /** @description The chosen offer, quoted for the chosen amount; null before the choice. */
      readonly selectedOffer: components['schemas']['SelectedOfferView'] | null;
      /**
       * @description The journey’s state:
       *
       *     - `INITIATED` leads to `OFFERS_RECEIVED`, `REJECTED`, `ABANDONED`
       *     - `OFFERS_RECEIVED` leads to the state of the product’s next step, `INITIATED`, `ABANDONED`
       *     - `OFFER_SELECTED` leads to the state of the product’s next step, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `FEE_PENDING` leads to the state of the product’s next step, `ABANDONED`, `OFFERS_RECEIVED`
       *     - `KYC_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `BANK_ACCOUNT_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `MANDATE_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `ESIGN_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `DECISION_PENDING` leads to `SANCTIONED`, `REJECTED`
       *     - `DISBURSEMENT_PENDING` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is final
       *     - `REJECTED` is final
       *     - `ABANDONED` is final
       * @example INITIATED
       * @enum {string}
       */
      readonly state:
        | 'INITIATED'
        | 'OFFERS_RECEIVED'
        | 'OFFER_SELECTED'
        | 'FEE_PENDING'
        | 'KYC_PENDING'
        | 'BANK_ACCOUNT_PENDING'
        | 'MANDATE_PENDING'
        | 'ESIGN_PENDING'
        | 'DECISION_PENDING'
        | 'DISBURSEMENT_PENDING'
        | 'SANCTIONED'
        | 'REJECTED'
        | 'ABANDONED';
      /**
       * Format: date-time
       * @description When the journey last changed.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly updatedAt: string;
    };
    readonly KeyLimitNearView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * Format: date-time
       * @description When the problem was detected.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The key, and how much of its limit is used. */
      readonly data: components['schemas']['NearLimitView'];
      /**
       * @description What happened.
       * @example api_key.limit_near
       * @enum {string}
       */
      readonly event: 'api_key.limit_near';
      /**
       * @description The alert, the same on every attempt and for every subscription.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
    };
    readonly LeadChangeView: {
      /**
       * @description Your own reference, if you sent one.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /**
       * @description The product’s code.
       * @example ONLINE_INSTANT
       */
      readonly loanType: string;
      /**
       * @description The status before.
       * @example PAYMENT_PENDING
       */
      readonly previousStatus: string;
      /**
       * @description Why it ended, if there is a reason.
       * @example NO_OFFERS
       */
      readonly reason?: string;
      /**
       * @description The status now.
       * @example PAYMENT_RECEIVED
       */
      readonly status: string;
    };
    readonly LeadEventView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * @description The lead.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The change; no personal data. */
      readonly data: components['schemas']['LeadChangeView'];
      /**
       * @description What happened.
       * @example lead.status_changed
       * @enum {string}
       */
      readonly event: 'lead.status_changed';
      /**
       * @description The event, the same on every attempt and for every subscription.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
      /**
       * @description Its journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /**
       * @description Counts the lead’s events from 1.
       * @example 1
       */
      readonly sequence: number;
    };
    readonly LeadFee: {
      /**
       * @description The fee with its tax, in rupees.
       * @example 590
       */
      readonly amount: number;
      /**
       * Format: date-time
       * @description When it was paid.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly paidAt?: string;
      /**
       * @description DUE: the applicant can still pay it. UNPAID: it was not paid in time.
       * @example DUE
       * @enum {string}
       */
      readonly status: 'DUE' | 'PAID' | 'UNPAID';
    };
    readonly LeadRefund: {
      /**
       * @description The refunded amount, in rupees.
       * @example 590
       */
      readonly amount: number;
      /**
       * @description PENDING: the gateway has not sent it yet. FAILED: the operator must act.
       * @example PENDING
       * @enum {string}
       */
      readonly status: 'PENDING' | 'DONE' | 'FAILED';
      /**
       * Format: date-time
       * @description When this status began.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly updatedAt: string;
    };
    readonly LeadsPage: {
      /**
       * @description Unknown query parameters, which were ignored; absent if there were none.
       * @example [
       *       "journeyID"
       *     ]
       */
      readonly ignoredParameters?: readonly string[];
      /** @description Newest first. */
      readonly leads: readonly components['schemas']['LeadView'][];
      /**
       * @description Maximum number of leads on a page.
       * @example 20
       */
      readonly limit: number;
      /**
       * @description The page number, from 1.
       * @example 1
       */
      readonly page: number;
      /**
       * @description The number of leads that the filters match.
       * @example 42
       */
      readonly total: number;
    };
    readonly LeadStatus: {
      /**
       * @description The application.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description Your own reference, if you sent one.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /** @description The fee that the applicant pays before the decision. */
      readonly fee?: components['schemas']['LeadFee'];
      /**
       * @description The lender of the chosen offer.
       * @example navdhara
       */
      readonly lenderCode?: string;
      /**
       * @description Your own data, if you sent it.
       * @example {
       *       "campaign": "diwali"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      };
      /**
       * @description Why it ended, if there is a reason.
       * @example NO_OFFERS
       */
      readonly reason?: string;
      /** @description The refund of that fee, else of the last payment that went back. */
      readonly refund?: components['schemas']['LeadRefund'];
      /**
       * @description Lead of a journey: the journey’s state:
       *
       *     - `INITIATED` leads to `OFFERS_RECEIVED`, `REJECTED`, `ABANDONED`
       *     - `OFFERS_RECEIVED` leads to the state of the product’s next step, `INITIATED`, `ABANDONED`
       *     - `OFFER_SELECTED` leads to the state of the product’s next step, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `FEE_PENDING` leads to the state of the product’s next step, `ABANDONED`, `OFFERS_RECEIVED`
       *     - `KYC_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `BANK_ACCOUNT_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `MANDATE_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `ESIGN_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `DECISION_PENDING` leads to `SANCTIONED`, `REJECTED`
       *     - `DISBURSEMENT_PENDING` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is final
       *     - `REJECTED` is final
       *     - `ABANDONED` is final
       *
       *     Lead of an instant loan:
       *
       *     - `PAYMENT_PENDING` leads to `REJECTED`, `PAYMENT_RECEIVED`, `PAYMENT_FAILED`, `EXPIRED`
       *     - `PAYMENT_FAILED` leads to `PAYMENT_PENDING`, `PAYMENT_RECEIVED`, `EXPIRED`
       *     - `PAYMENT_RECEIVED` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is final
       *     - `REJECTED` is final
       *     - `EXPIRED` is final
       * @example KYC_PENDING
       * @enum {string}
       */
      readonly status:
        | 'INITIATED'
        | 'OFFERS_RECEIVED'
        | 'OFFER_SELECTED'
        | 'FEE_PENDING'
        | 'KYC_PENDING'
        | 'BANK_ACCOUNT_PENDING'
        | 'MANDATE_PENDING'
        | 'ESIGN_PENDING'
        | 'DECISION_PENDING'
        | 'DISBURSEMENT_PENDING'
        | 'SANCTIONED'
        | 'REJECTED'
        | 'ABANDONED'
        | 'PAYMENT_PENDING'
        | 'PAYMENT_FAILED'
        | 'PAYMENT_RECEIVED'
        | 'EXPIRED';
      /**
       * Format: date-time
       * @description When the status last changed.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly updatedAt: string;
    };
    readonly LeadView: {
      /**
       * @description The application.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description Your own reference, if you sent one.
       * @example order-A1042
       */
      readonly clientReferenceId?: string;
      /**
       * @description Its journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId?: string;
      /**
       * @description The requested amount, in rupees.
       * @example 200000
       */
      readonly loanAmount: number;
      /**
       * @description PARTNER: you sent `loanAmount`. APPLICANT: the applicant entered it on our screens. DEFAULT: the product’s default amount.
       * @example PARTNER
       * @enum {string}
       */
      readonly loanAmountSource: 'PARTNER' | 'APPLICANT' | 'DEFAULT';
      /**
       * @description The product’s code.
       * @example ONLINE_PERSONAL
       */
      readonly loanType: string;
      /**
       * @description Your own data, if you sent it.
       * @example {
       *       "campaign": "diwali"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      };
      /**
       * @description Lead of a journey: the journey’s state:
       *
       *     - `INITIATED` leads to `OFFERS_RECEIVED`, `REJECTED`, `ABANDONED`
       *     - `OFFERS_RECEIVED` leads to the state of the product’s next step, `INITIATED`, `ABANDONED`
       *     - `OFFER_SELECTED` leads to the state of the product’s next step, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `FEE_PENDING` leads to the state of the product’s next step, `ABANDONED`, `OFFERS_RECEIVED`
       *     - `KYC_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `BANK_ACCOUNT_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `MANDATE_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `ESIGN_PENDING` leads to the state of the product’s next step, `REJECTED`, `OFFERS_RECEIVED`, `ABANDONED`
       *     - `DECISION_PENDING` leads to `SANCTIONED`, `REJECTED`
       *     - `DISBURSEMENT_PENDING` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is final
       *     - `REJECTED` is final
       *     - `ABANDONED` is final
       *
       *     Lead of an instant loan:
       *
       *     - `PAYMENT_PENDING` leads to `REJECTED`, `PAYMENT_RECEIVED`, `PAYMENT_FAILED`, `EXPIRED`
       *     - `PAYMENT_FAILED` leads to `PAYMENT_PENDING`, `PAYMENT_RECEIVED`, `EXPIRED`
       *     - `PAYMENT_RECEIVED` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is final
       *     - `REJECTED` is final
       *     - `EXPIRED` is final
       * @example OFFERS_RECEIVED
       * @enum {string}
       */
      readonly status:
        | 'INITIATED'
        | 'OFFERS_RECEIVED'
        | 'OFFER_SELECTED'
        | 'FEE_PENDING'
        | 'KYC_PENDING'
        | 'BANK_ACCOUNT_PENDING'
        | 'MANDATE_PENDING'
        | 'ESIGN_PENDING'
        | 'DECISION_PENDING'
        | 'DISBURSEMENT_PENDING'
        | 'SANCTIONED'
        | 'REJECTED'
        | 'ABANDONED'
        | 'PAYMENT_PENDING'
        | 'PAYMENT_FAILED'
        | 'PAYMENT_RECEIVED'
        | 'EXPIRED';
      /**
       * Format: date-time
       * @description When the application was submitted.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly submittedAt: string;
    };
    readonly LenderEligibilityView: {
      /** @description The amounts that the lender may offer. */
      readonly amount?: components['schemas']['AmountRangeView'];
      /** @description The lender’s interest rates, not the APR. */
      readonly annualRate?: components['schemas']['RateRangeView'];
      /**
       * @description As in `lenderCode` of an offer.
       * @example navdhara
       */
      readonly lenderCode: string;
      /**
       * @description The lender’s legal name.
       * @example Navdhara Capital Limited
       */
      readonly lenderName: string;
      /** @description Each condition that is not met; only for UNLIKELY. */
      readonly reasons?: readonly (
        | 'AMOUNT'
        | 'INCOME'
        | 'EMPLOYMENT'
        | 'LOCATION'
        | 'POLICY'
        | 'OTHER'
      )[];
      /** @description The lender’s tenures. */
      readonly tenure?: components['schemas']['TenureRangeView'];
      /**
       * @description UNKNOWN: the lender publishes no rules, or did not answer in time.
       * @example LIKELY
       * @enum {string}
       */
      readonly verdict: 'LIKELY' | 'UNLIKELY' | 'UNKNOWN';
    };
    readonly LenderWithoutOfferView: {
      /**
       * @description The lender.
       * @example Tarang Udyam Finance Limited
       */
      readonly name: string;
      /**
       * @description DECLINED: it makes no offer. UNREACHABLE: it could not be reached. NO_ANSWER: it did not answer in time. OFFER_REFUSED: our check of its offer’s figures failed.
       * @example DECLINED
       * @enum {string}
       */
      readonly standing: 'DECLINED' | 'UNREACHABLE' | 'NO_ANSWER' | 'OFFER_REFUSED';
    };
    readonly NearLimitView: {
      /**
       * Format: date
       * @description The calendar day in India.
       * @example 2026-01-31
       */
      readonly day: string;
      /**
       * @description The start of the key, as the workbench displays it.
       * @example rinpath_live_AHZG…
       */
      readonly keyHint: string;
      /**
       * @description The key’s name.
       * @example backend
       */
      readonly keyName: string;
      /**
       * @description The daily limit.
       * @example 20000
       */
      readonly limit: number;
      /**
       * @description Requests so far on this day.
       * @example 16000
       */
      readonly used: number;
    };
    readonly NextActionAnswer: {
      /** @description The next step. */
      readonly nextAction: components['schemas']['NextActionView'];
    };
    readonly NextActionView: {
      /**
       * @description POLL: read the journey again after pollIntervalSeconds. REDIRECT: send the applicant to url. ACTION: submit the action that type names. WAIT: the applicant is on our screens. DONE: the journey is over.
       * @example POLL
       * @enum {string}
       */
      readonly category: 'POLL' | 'REDIRECT' | 'ACTION' | 'WAIT' | 'DONE';
      /**
       * @description The next action:
       *
       *     - `POLL_LENDER_OFFERS` (POLL) in `INITIATED`, leads to `OFFERS_RECEIVED`, `REJECTED`, `ABANDONED`
       *     - `SELECT_OFFER` (ACTION) in `OFFERS_RECEIVED`, leads to the state of the product’s next step, `INITIATED`, `ABANDONED`
       *     - `SELECT_GOLD_LOAN_BRANCH` (ACTION) in `OFFER_SELECTED`, leads to the state of the product’s next step, `ABANDONED`
       *     - `REDIRECT_TO_FEE` (REDIRECT) in `FEE_PENDING`, leads to the state of the product’s next step, `ABANDONED`
       *     - `POLL_FEE_STATUS` (POLL) in `FEE_PENDING`, leads to the state of the product’s next step, `ABANDONED`
       *     - `REDIRECT_TO_KYC` (REDIRECT) in `KYC_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `POLL_KYC_STATUS` (POLL) in `KYC_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `SUBMIT_BANK_ACCOUNT` (ACTION) in `BANK_ACCOUNT_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `REDIRECT_TO_MANDATE` (REDIRECT) in `MANDATE_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `POLL_MANDATE_STATUS` (POLL) in `MANDATE_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `REDIRECT_TO_ESIGN` (REDIRECT) in `ESIGN_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `POLL_ESIGN_STATUS` (POLL) in `ESIGN_PENDING`, leads to the state of the product’s next step, `REJECTED`, `ABANDONED`
       *     - `POLL_DISBURSEMENT` (POLL) in `DISBURSEMENT_PENDING`, leads to `SANCTIONED`, `REJECTED`
       *     - `JOURNEY_COMPLETED` (DONE) in `SANCTIONED`, is final
       *     - `JOURNEY_REJECTED` (DONE) in `REJECTED`, is final
       *     - `JOURNEY_ABANDONED` (DONE) in `ABANDONED`, is final
       *     - `WAITING_FOR_REDIRECT` (WAIT) in every state of a hosted journey until it ends
       * @example WAITING_FOR_REDIRECT
       * @enum {string}
       */
      readonly type:
        | 'WAITING_FOR_REDIRECT'
        | 'POLL_LENDER_OFFERS'
        | 'SELECT_OFFER'
        | 'SELECT_GOLD_LOAN_BRANCH'
        | 'REDIRECT_TO_FEE'
        | 'POLL_FEE_STATUS'
        | 'REDIRECT_TO_KYC'
        | 'POLL_KYC_STATUS'
        | 'SUBMIT_BANK_ACCOUNT'
        | 'REDIRECT_TO_MANDATE'
        | 'POLL_MANDATE_STATUS'
        | 'REDIRECT_TO_ESIGN'
        | 'POLL_ESIGN_STATUS'
        | 'POLL_DISBURSEMENT'
        | 'JOURNEY_COMPLETED'
        | 'JOURNEY_REJECTED'
        | 'JOURNEY_ABANDONED';
      /**
       * Format: uri
       * @description REDIRECT: where to send the applicant.
       * @example https://rinpath.example/r/token
       */
      readonly url?: string;
    };
    readonly OfferView: {
      /**
       * @description Annual percentage rate, by the method of the RBI’s Key Facts Statement.
       * @example 13.23
       */
      readonly apr: number;
      /** @description Gold loans: branches that take the gold; otherwise empty. */
      readonly branchLocations: readonly components['schemas']['BranchLocationView'][];
      /** @description Charges that apply only in certain cases. */
      readonly contingentCharges?: readonly components['schemas']['ContingentChargeView'][];
      /**
       * @description Days after the payout during which the applicant may exit without penalty.
       * @example 3
       */
      readonly coolingOffDays?: number;
      /**
       * @description The monthly instalment, in rupees.
       * @example 6594
       */
      readonly emiAmount: number;
      /**
       * @description In percent a year.
       * @example 11.49
       */
      readonly interestRate: number;
      /**
       * Format: uri
       * @description The Key Facts Statement: a page to display to the applicant.
       * @example https://rinpath.example/kfs/token
       */
      readonly kfsLink: string;
      /**
       * @description The last instalment, in rupees. It differs because the others are rounded.
       * @example 6603
       */
      readonly lastEmiAmount?: number;
      /**
       * @description The lender’s code, as in `GET /products`.
       * @example navdhara
       */
      readonly lenderCode: string;
      /**
       * @description The ranking metric and its version, while offers can be chosen.
       * @example APR_ASC/5
       */
      readonly metric?: string;
      /**
       * @description The smallest amount of this offer, in rupees.
       * @example 1000
       */
      readonly minimumLoanAmount: number;
      /**
       * @description The amount paid out: the principal less the charges, unless they are paid before (FEE), in rupees.
       * @example 195080
       */
      readonly netDisbursedAmount: number;
      /**
       * @description The offerId for SELECT_OFFER.
       * @example off_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly offerId: string;
      /**
       * @description The loan amount, in rupees.
       * @example 200000
       */
      readonly principalAmount: number;
      /**
       * @description All one-time charges, in rupees.
       * @example 4920
       */
      readonly processingFees: number;
      /**
       * @description Rank among the offers, from 1, while offers can be chosen.
       * @example 1
       */
      readonly rank?: number;
      /**
       * @description The lender.
       * @example Navdhara Capital Limited
       */
      readonly sellerName: string;
      /**
       * @description In months.
       * @example 36
       */
      readonly tenure: number;
      /**
       * Format: date-time
       * @description The offer cannot be selected after this time.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly validUntil: string;
    };
    readonly ProductLenderView: {
      /**
       * @description What `consent.lenderCodes` takes.
       * @example navdhara
       */
      readonly code: string;
      /**
       * @description The lender’s legal name, as in the consent text.
       * @example Navdhara Capital Limited
       */
      readonly name: string;
    };
    readonly ProductList: {
      /** @description In the order of the catalogue. */
      readonly products: readonly components['schemas']['ProductView'][];
    };
    readonly ProductView: {
      /**
       * @description Its category.
       * @example Personal
       */
      readonly category: string;
      /**
       * @description OFFLINE: listed, but not accepted by initiate.
       * @example ONLINE
       * @enum {string}
       */
      readonly channel: 'ONLINE' | 'OFFLINE';
      /**
       * @description The catalogue’s code.
       * @example ONLINE_PERSONAL
       */
      readonly code: string;
      /**
       * @description The amount of a loan for which you name none, in rupees.
       * @example 200000
       */
      readonly defaultAmount: number;
      /**
       * @description Its display name.
       * @example Personal loan
       */
      readonly displayName: string;
      /**
       * @description The name of its icon.
       * @example personal-loan
       */
      readonly icon: string;
      /** @description The lenders that are now asked; left out if there are none. */
      readonly lenders?: readonly components['schemas']['ProductLenderView'][];
      /**
       * @description The largest amount, in rupees.
       * @example 500000
       */
      readonly maximumAmount: number;
      /**
       * @description The smallest amount, in rupees.
       * @example 10000
       */
      readonly minimumAmount: number;
      /**
       * @description The product’s provider.
       * @example Rinpath lending partners
       */
      readonly provider: string;
      /**
       * @description The steps of its journeys, in order; empty for a product without journeys.
       * @example [
       *       "OFFERS",
       *       "KYC",
       *       "BANK_ACCOUNT",
       *       "MANDATE",
       *       "ESIGN",
       *       "DISBURSEMENT"
       *     ]
       */
      readonly steps: readonly (
        | 'OFFERS'
        | 'BRANCH'
        | 'FEE'
        | 'KYC'
        | 'BANK_ACCOUNT'
        | 'MANDATE'
        | 'ESIGN'
        | 'DECISION'
        | 'DISBURSEMENT'
      )[];
    };
    readonly RateRangeView: {
      /**
       * @description Percent a year.
       * @example 24
       */
      readonly max: number;
      /**
       * @description Percent a year.
       * @example 11.49
       */
      readonly min: number;
    };
    readonly RecoveredDeliveries: {
      /** @description True if more are left: repeat the call. */
      readonly hasMore: boolean;
      /**
       * @description The number of deliveries that are due again.
       * @example 12
       */
      readonly recovered: number;
    };
    readonly RecoveryBody: {
      /**
       * Format: date-time
       * @description Deliveries of events from this time on: a date-time with its offset.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly since: string;
    };
    readonly RedeliveredDelivery: {
      /**
       * @description The delivery, now due.
       * @example dlv_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly deliveryId: string;
    };
    readonly RegisteredSubscription: {
      /**
       * @description The signing secret, displayed once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3bK4uXk0pQg=
       */
      readonly secret: string;
      /**
       * @description The subscription.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
      /**
       * @description Only if another subscription of the partner has the same `url`.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 has the same url. An event of both is sent twice; x-rinpath-subscription-id names the subscription.
       */
      readonly warning?: string;
    };
    readonly RotatedSecret: {
      /**
       * @description The signing secret, displayed once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3bK4uXk0pQg=
       */
      readonly secret: string;
    };
    readonly SandboxPaymentBody: {
      /**
       * @description The result of the payment.
       * @example PAID
       * @enum {string}
       */
      readonly outcome: 'PAID' | 'FAILED';
    };
    readonly SandboxPaymentView: {
      /**
       * @description The application.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description The result of the payment: as requested, unless the reserved PAN `SANDX0010A` makes it fail.
       * @example PAID
       * @enum {string}
       */
      readonly outcome: 'PAID' | 'FAILED';
    };
    readonly SandboxTimeBody:
      | {
          /**
           * @description Seconds to move forward. Give this or `to`.
           * @example 604800
           */
          readonly advanceSeconds: number;
          /**
           * Format: date-time
           * @description The new time, later than the sandbox’s time. A repeat within five minutes moves no further.
           * @example 2026-02-07T15:30:00+05:30
           */
          readonly to?: string;
        }
      | {
          /**
           * @description Seconds to move forward. Give this or `to`.
           * @example 604800
           */
          readonly advanceSeconds?: number;
          /**
           * Format: date-time
           * @description The new time, later than the sandbox’s time. A repeat within five minutes moves no further.
           * @example 2026-02-07T15:30:00+05:30
           */
          readonly to: string;
        };
    readonly SandboxTimeView: {
      /**
       * Format: date-time
       * @description The sandbox’s time before the call.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly from: string;
      /** @description False if due work remains: call again with the same `to`. */
      readonly hasArrived: boolean;
      /**
       * Format: date-time
       * @description The sandbox’s time now.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly now: string;
    };
    readonly SelectBranchPayload: {
      /**
       * @description The id of one of the selected offer’s branchLocations.
       * @example brn_01a1fcf153ad7174853dd701385fe9c0
       */
      readonly branchLocationId: string;
      /**
       * @description If given, it must be the selected offer’s.
       * @example off_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly offerId?: string;
    };
    readonly SelectedOfferView: {
      /**
       * @description Annual percentage rate, by the method of the RBI’s Key Facts Statement.
       * @example 13.23
       */
      readonly apr: number;
      /** @description Gold loans: the chosen branch. */
      readonly branchLocation?: components['schemas']['BranchLocationView'];
      /** @description Gold loans: branches that take the gold; otherwise empty. */
      readonly branchLocations: readonly components['schemas']['BranchLocationView'][];
      /** @description Charges that apply only in certain cases. */
      readonly contingentCharges?: readonly components['schemas']['ContingentChargeView'][];
      /**
       * @description Days after the payout during which the applicant may exit without penalty.
       * @example 3
       */
      readonly coolingOffDays?: number;
      /**
       * @description The monthly instalment, in rupees.
       * @example 6594
       */
      readonly emiAmount: number;
      /**
       * @description In percent a year.
       * @example 11.49
       */
      readonly interestRate: number;
      /**
       * Format: uri
       * @description The Key Facts Statement: a page to display to the applicant.
       * @example https://rinpath.example/kfs/token
       */
      readonly kfsLink: string;
      /**
       * @description The last instalment, in rupees. It differs because the others are rounded.
       * @example 6603
       */
      readonly lastEmiAmount?: number;
      /**
       * @description The lender’s code, as in `GET /products`.
       * @example navdhara
       */
      readonly lenderCode: string;
      /**
       * @description The chosen amount, in rupees.
       * @example 150000
       */
      readonly loanAmount: number;
      /**
       * @description The ranking metric and its version, while offers can be chosen.
       * @example APR_ASC/5
       */
      readonly metric?: string;
      /**
       * @description The smallest amount of this offer, in rupees.
       * @example 1000
       */
      readonly minimumLoanAmount: number;
      /**
       * @description The amount paid out: the principal less the charges, unless they are paid before (FEE), in rupees.
       * @example 195080
       */
      readonly netDisbursedAmount: number;
      /**
       * @description The offerId for SELECT_OFFER.
       * @example off_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly offerId: string;
      /**
       * @description The loan amount, in rupees.
       * @example 200000
       */
      readonly principalAmount: number;
      /**
       * @description All one-time charges, in rupees.
       * @example 4920
       */
      readonly processingFees: number;
      /**
       * @description Rank among the offers, from 1, while offers can be chosen.
       * @example 1
       */
      readonly rank?: number;
      /**
       * @description The lender.
       * @example Navdhara Capital Limited
       */
      readonly sellerName: string;
      /**
       * @description In months.
       * @example 36
       */
      readonly tenure: number;
      /**
       * Format: date-time
       * @description The offer cannot be selected after this time.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly validUntil: string;
    };
    readonly SelectOfferPayload: {
      /**
       * @description In rupees, from the offer’s minimumLoanAmount to its principalAmount, the default.
       * @example 150000
       */
      readonly loanAmount?: number;
      /**
       * @description One of the journey’s offers.
       * @example off_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly offerId: string;
    };
    readonly StartedJourney: {
      /**
       * @description The journey’s lead.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * Format: uri
       * @description API_HOSTED: the single-use link for the applicant.
       * @example https://rinpath.example/hosted/start/token
       */
      readonly hostedUrl?: string;
      /**
       * @description The journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /**
       * @description API_HEADLESS: the session token for later calls.
       * @example ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs
       */
      readonly journeySession?: string;
      /** @description The next step. */
      readonly nextAction: components['schemas']['NextActionView'];
    };
    readonly SubscriptionList: {
      /** @description The partner’s subscriptions. */
      readonly subscriptions: readonly components['schemas']['SubscriptionView'][];
    };
    readonly SubscriptionView: {
      /**
       * @description Consecutive failed attempts.
       * @example 0
       */
      readonly failureCount: number;
      /** @description Whether events are sent. An inactive subscription keeps its events for 30 days. */
      readonly isActive: boolean;
      /**
       * Format: date-time
       * @description The last successful attempt; null before the first.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly lastDeliveryAt: string | null;
      /** @description All names, even if the subscription takes every event of journeys. */
      readonly subscribedEvents: readonly (
        | 'journey.initiated'
        | 'journey.offers_received'
        | 'journey.offer_selected'
        | 'journey.kyc_done'
        | 'journey.enach_done'
        | 'journey.esign_done'
        | 'journey.completed'
        | 'journey.rejected'
        | 'journey.abandoned'
        | 'lead.status_changed'
        | 'webhook.endpoint_failing'
        | 'webhook.endpoint_disabled'
        | 'api_key.limit_near'
      )[];
      /**
       * @description The subscription.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
      /**
       * Format: uri
       * @description The URL that receives the events.
       * @example https://partner.example/hooks/loans
       */
      readonly url: string;
    };
    readonly TenureRangeView: {
      /**
       * @description In months.
       * @example 60
       */
      readonly max: number;
      /**
       * @description In months.
       * @example 12
       */
      readonly min: number;
    };
    readonly TestResult: {
      /**
       * @description Duration in milliseconds.
       * @example 87
       */
      readonly durationMs: number;
      /**
       * @description The test event.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly eventId: string;
      /**
       * @description Why there was no usable response; null if there was one.
       * @example TLS
       */
      readonly failure: string | null;
      /** @description Whether the address answered 2xx within 5 seconds. */
      readonly isDelivered: boolean;
      /**
       * @description The first kilobyte of the response, personal data masked; null without a response.
       * @example ok
       */
      readonly responseExcerpt: string | null;
      /**
       * @description The HTTP status of the response; null without a response.
       * @example 200
       */
      readonly responseStatus: number | null;
    };
    readonly WebhookEventView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * @description The journey’s lead.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The journey at that time; no personal data. */
      readonly data: components['schemas']['EventDataView'];
      /**
       * @description What happened.
       * @example journey.initiated
       * @enum {string}
       */
      readonly event:
        | 'journey.initiated'
        | 'journey.offers_received'
        | 'journey.offer_selected'
        | 'journey.kyc_done'
        | 'journey.enach_done'
        | 'journey.esign_done'
        | 'journey.completed'
        | 'journey.rejected'
        | 'journey.abandoned';
      /**
       * @description The event, the same on every attempt and for every subscription.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
      /**
       * @description The journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /**
       * @description Counts the journey’s events from 1, to detect stale events.
       * @example 4
       */
      readonly sequence: number;
    };
    readonly WebhookRegistrationBody: {
      /** @description Empty or left out: every event of journeys, including future ones. `lead.status_changed` and alerts are sent only if named. */
      readonly events?: readonly (
        | 'journey.initiated'
        | 'journey.offers_received'
        | 'journey.offer_selected'
        | 'journey.kyc_done'
        | 'journey.enach_done'
        | 'journey.esign_done'
        | 'journey.completed'
        | 'journey.rejected'
        | 'journey.abandoned'
        | 'lead.status_changed'
        | 'webhook.endpoint_failing'
        | 'webhook.endpoint_disabled'
        | 'api_key.limit_near'
      )[];
      /**
       * Format: uri
       * @description An https URL of at most 2,048 characters, without credentials or fragment. A sandbox on your own machine also accepts http on loopback.
       * @example https://partner.example/hooks/loans
       */
      readonly url: string;
    };
    readonly WebhookTestEventView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * Format: date-time
       * @description When it was sent.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description Empty. */
      readonly data: Record<string, never>;
      /**
       * @description Marks a test.
       * @example webhook.test
       * @enum {string}
       */
      readonly event: 'webhook.test';
      /**
       * @description The test event.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
      /**
       * @description The tested subscription.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
    };
    readonly WorkbenchLinkView: {
      /**
       * Format: date-time
       * @description When the link expires, after 5 minutes.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly expiresAt: string;
      /**
       * Format: uri
       * @description The single-use link to the workbench. Give it only to your engineer.
       * @example https://rinpath.example/workbench/enter/token
       */
      readonly url: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly checkEligibility: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['EligibilityBody'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['EligibilityView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly listEvents: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the last response. Without it, or empty, from the oldest event kept. */
        readonly after?: string;
        /** @description Only events of these names, separated by commas. Without it, all but `lead.status_changed`. A page searches at most 1,000 events, so it can be short or empty although more follow. */
        readonly events?: string;
        /** @description Events on a page. */
        readonly limit?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['EventsPage'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly createInstantLoan: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['InstantLoanBody'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['CreatedInstantLoan'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly readJourney: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly journeyId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['JourneyView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly submitJourneyAction: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly journeyId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json':
          | {
              /** @enum {string} */
              readonly kind: 'SELECT_OFFER';
              readonly payload: components['schemas']['SelectOfferPayload'];
            }
          | {
              /** @enum {string} */
              readonly kind: 'SELECT_GOLD_LOAN_BRANCH';
              readonly payload: components['schemas']['SelectBranchPayload'];
            }
          | {
              /** @enum {string} */
              readonly kind: 'SUBMIT_BANK_ACCOUNT';
              readonly payload: components['schemas']['BankAccountPayload'];
            };
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['NextActionAnswer'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly signalRedirectReturned: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly journeyId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description The step from which the applicant returned.
           * @enum {string}
           */
          readonly step: 'KYC' | 'MANDATE' | 'ESIGN';
        };
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['NextActionAnswer'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly initiateJourney: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json':
          | components['schemas']['InitiateBodyA']
          | components['schemas']['InitiateBodyB'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['StartedJourney'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly listLeads: {
    readonly parameters: {
      readonly query?: {
        /** @description The lead of this application. */
        readonly applicationId?: string;
        /** @description Leads with this reference of yours. */
        readonly clientReferenceId?: string;
        /** @description Leads submitted at or after this time: an ISO 8601 date-time, or a date for the whole day in India. */
        readonly from?: string;
        /** @description The lead of this journey. */
        readonly journeyId?: string;
        /** @description Leads on a page, at most 100. */
        readonly limit?: number;
        /** @description Leads of this product code. */
        readonly loanType?: string;
        /** @description The page number, from 1. */
        readonly page?: number;
        /** @description Leads of this status. */
        readonly status?: string;
        /** @description Leads submitted at or before this time: an ISO 8601 date-time, or a date for the whole day in India. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['LeadsPage'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly readLeadStatus: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example app_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly applicationId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['LeadStatus'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly listProducts: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['ProductList'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly paySandboxInstantLoan: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example app_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly applicationId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['SandboxPaymentBody'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['SandboxPaymentView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly moveSandboxTime: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['SandboxTimeBody'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['SandboxTimeView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly listWebhooks: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['SubscriptionList'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly registerWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['WebhookRegistrationBody'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['RegisteredSubscription'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly deleteWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['DeletedSubscription'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly listWebhookDeliveries: {
    readonly parameters: {
      readonly query?: {
        /** @description Deliveries older than this one: `nextBefore` of the previous page. */
        readonly before?: string;
        /** @description Deliveries on a page. */
        readonly limit?: number;
        /** @description Only deliveries of this status. A page searches at most 10,000 deliveries, so it can be short. */
        readonly status?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['DeliveryPage'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly redeliverWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example dlv_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly deliveryId: string;
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['RedeliveredDelivery'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly disableWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['SubscriptionView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly enableWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['SubscriptionView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly recoverWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['RecoveryBody'];
      };
    };
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['RecoveredDeliveries'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly rotateWebhookSecret: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['RotatedSecret'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly testWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 */
        readonly subscriptionId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['TestResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
  readonly createWorkbenchLink: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call succeeded. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: components['schemas']['WorkbenchLinkView'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
    };
  };
}
