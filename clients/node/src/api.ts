/**
 * The types of every call, made from docs/openapi.json by `npm run clients:generate`. Do not edit.
 */
export interface paths {
  readonly '/api/v1/partner/events': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the events
     * @description The partner’s events of the last 30 days, in an order that does not change, whether a webhook is registered or not, with the alerts on its webhooks and keys. An event that is committed later comes later, and a journey’s events come in their order: whoever passes `next` on as `after` misses none.
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
     * @description Takes an application for an instant loan, and asks the lenders for binding offers; it answers before they do. Send the applicant to `redirectUrl` at once or later: the page waits for the offers and compares them, the applicant chooses one, sees its key facts and its fee, and goes on to the payment gateway. The same link goes to the applicant by SMS, in Hindi or English as the call’s `Accept-Language` names one, else in the service’s usual language. `GET /leads/{applicationId}/status` tells how it goes on: `PAYMENT_PENDING` (offers are awaited, or the fee is to be paid), `PAYMENT_FAILED` (it can be paid again), `PAYMENT_RECEIVED` (the lender decides), then `SANCTIONED` or `REJECTED`; `REJECTED` without a payment when no lender makes an offer; `EXPIRED` when it was not paid within 72 hours, or before its offer ran out. Instant loans send no webhooks.
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
     * @description The journey with its next action, the lenders’ offers and its outcome. A headless journey needs its session; a hosted one needs none.
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
     * @description Takes the action that the journey’s next action names. One action is in flight at a time: a second one meanwhile is 409, and so is an action at another step; read the journey again then. Headless journeys alone take actions.
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
     * Say that the applicant is back from a redirect
     * @description A signal, never proof: the service asks the provider whether the step is done. The first return from a step that is current or already completed is 200. Call it when the applicant comes to your `returnUrl`, whose query then has `journeyId` and `step`. While the provider waits for the applicant, who has left, the answer is the same redirect again. The journey session is optional here; a wrong one is refused.
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
     * @description Starts a loan journey. With `API_HOSTED` the answer holds `hostedUrl`, the single-use link for the applicant; with `API_HEADLESS` it holds `journeySession`, which authorizes the later calls. The body has one of two variants: the first carries `channel`, `productCode` and a customer with `fullName`; the second need only carry `mobile` and `customer`, and takes the key’s defaults for the rest.
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
     * @description The partner’s applications, newest first. An unknown `status`, `loanType`, `journeyId` or `applicationId` gives an empty list, and a page that is out of range is brought into it; what cannot be parsed is refused.
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
     * @description The status of one application, of a journey or of an instant loan.
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
     * @description Does what an applicant does on our page and on the simulated payment page: agrees to the Key Facts Statement of the offer that is chosen, goes on to pay its fee, and pays or fails to. The simulated gateway then calls back as after a press of its buttons, so `GET /leads/{applicationId}/status` has the new status a moment later. After `FAILED` it can be paid again. An application with nothing to pay is answered 409 `payment_not_due`; while its lenders have not answered, `Retry-After` says when to ask again. In production there is nothing at this address.
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
     * @description Moves time forward, never back, and has everything happen that falls due until then, in its order: links and offers that run out, journeys that are abandoned, payments that are called off, webhooks’ retries. It answers when all that is done. A sandbox has one time for all of its partners. What is signed keeps to the real time: your `x-timestamp`, our `webhook-timestamp` and `Date`. Answers of a sandbox whose time was moved say it in `X-Sandbox-Time`. In production there is nothing at this address.
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
     * @description The partner’s subscriptions with the health of their deliveries, never a secret.
     *
     *     Scope: `webhooks:manage`.
     */
    readonly get: operations['listWebhooks'];
    readonly put?: never;
    /**
     * Register a webhook
     * @description Subscribes an address to events; `events` empty or left out means all of journeys, those added later too. Alerts on webhooks and keys are sent only where they are named. The signing secret is in this answer and, under its `Idempotency-Key`, in a replay. For a `url` that is registered already there is a `warning`.
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
     * @description No further event is sent to its address; what is pending is cancelled.
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
     * @description What was sent to the address, or waits to be, with every attempt. Finished deliveries are kept for 30 days. With `status` a page can hold fewer than `limit`, or none, although there are more: go on with `nextBefore` until it is null.
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
     * @description Sends a finished delivery once more, under the same event id and with the same bytes.
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
     * @description Sends to an inactive subscription again, at once what has waited for it; its failures are forgotten. To an active one it is the wish to be tried now.
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
     * @description Sends everything once more that failed for good, or was given up, since a moment; after an outage of the receiver, say. At most 50,000 deliveries a call.
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
     * @description Makes a new signing secret: it is in this answer and, under its `Idempotency-Key`, in a replay. `webhook-signature` has a signature for every secret of the last 24 hours, at most ten. A secret can be rotated ten times within 24 hours.
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
     * @description Sends the address a signed `webhook.test` event and answers what came of it, within little more than 5 seconds, or 10 where the connection is slow. It counts for nothing, and an inactive subscription can be tested, too.
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
     * @description Answers a single-use link to the workbench, the pages for a partner’s engineers. It opens a session of 8 hours for the partner and the scopes of the key. The session ends with the key. No body.
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
    readonly AttemptView: {
      /**
       * @description Counts the attempts of this delivery from 1.
       * @example 1
       */
      readonly attempt: number;
      /**
       * @description How long it took, in milliseconds.
       * @example 87
       */
      readonly durationMs: number;
      /**
       * @description Why no usable answer came; null when one came.
       * @example TIMEOUT
       */
      readonly failure: string | null;
      /**
       * @description The first kilobyte of the answer, personal data masked; null when no answer came.
       * @example try later
       */
      readonly responseExcerpt: string | null;
      /**
       * @description The status that was answered; null when no answer came.
       * @example 500
       */
      readonly responseStatus: number | null;
      /**
       * Format: date-time
       * @description When it was begun.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly startedAt: string;
    };
    readonly BankAccountPayload: {
      /**
       * @description As the bank has it. At least one letter.
       * @example Asha Verma
       */
      readonly accHolderName: string;
      /**
       * @description The account number, as text.
       * @example 123456789012
       */
      readonly accNo: string;
      /**
       * @description In any case; SAVING, SB and CA are understood.
       * @example SAVINGS
       * @enum {string}
       */
      readonly acctype: 'SAVINGS' | 'CURRENT';
      /**
       * @description The branch’s IFSC; lower case is understood.
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
       * @description What SELECT_GOLD_LOAN_BRANCH takes as branchLocationId.
       * @example brn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly id: string;
      /** @description Whether the gold is brought here. */
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
       * @description How much it is, and when it applies.
       * @example 2% a month on the overdue instalment
       */
      readonly description: string;
      /**
       * @description What it is charged for.
       * @example Late payment
       */
      readonly name: string;
    };
    readonly CreatedInstantLoan: {
      /**
       * @description The application; GET /leads/{applicationId}/status tells how it stands.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description Its journey; GET /journey/{journeyId} reads it.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /**
       * Format: uri
       * @description Where to send the applicant: the lenders’ offers, the loan’s key facts and the fee, and from there the payment gateway’s page. The same link goes to the applicant by SMS.
       * @example https://rinpath.example/pay/token
       */
      readonly redirectUrl: string;
      /** @description Whether the SMS was handed over to the gateway within two seconds; when not, it is tried again in the background, unless the mobile has had its texts of the day, and the application stands all the same. */
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description What the money is for.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
           * @description What the money is for.
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
           * @description In rupees; at least one of the two incomes must be given. 0 beside the other income counts as left out.
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
      /** @description The newest first. */
      readonly deliveries: readonly components['schemas']['DeliveryView'][];
      /**
       * @description The query parameters that this call does not know, and ignored; absent when it knows all.
       * @example [
       *       "journeyID"
       *     ]
       */
      readonly ignoredParameters?: readonly string[];
      /**
       * @description `before` for the next page, be this one full or not; null on the last.
       * @example dlv_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly nextBefore: string | null;
    };
    readonly DeliveryView: {
      /** @description The attempts so far, the first one first. */
      readonly attempts: readonly components['schemas']['AttemptView'][];
      /**
       * Format: date-time
       * @description When the event came to pass.
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
       * @description The event, as the delivery’s body and headers name it.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly eventId: string;
      /**
       * @description The journey that it tells of; null for an alert.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string | null;
      /**
       * Format: date-time
       * @description When it is due; null once it is finished.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly nextAttemptAt: string | null;
      /**
       * @description PENDING is on its way; PAUSED waits for its subscription to be enabled; EXHAUSTED has used all its attempts up; CANCELLED was given up after 30 days of waiting.
       * @example PENDING
       * @enum {string}
       */
      readonly status: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED' | 'CANCELLED' | 'PAUSED';
    };
    readonly DisabledEndpointView: {
      /**
       * Format: date-time
       * @description Since when nothing is sent there; what waits is kept for 30 days.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly disabledAt: string;
      /**
       * @description Failed attempts in a row.
       * @example 24
       */
      readonly failureCount: number;
      /**
       * @description GONE: it answered 410. FAILING: 20 failures or more in a row over three days.
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
    readonly EndpointDisabledView: {
      /**
       * @description The version of this body.
       * @enum {string}
       */
      readonly apiVersion: 'v1';
      /**
       * Format: date-time
       * @description When it was found.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description Which subscription, and why. */
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
       * @description When it was found.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description Which subscription, and how it fails. */
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
       * @description How the applicant is led.
       * @example API_HEADLESS
       * @enum {string}
       */
      readonly channel: 'API_HEADLESS' | 'API_HOSTED';
      /** @description What the journey asked for then. */
      readonly nextAction: components['schemas']['EventNextActionView'];
      /**
       * @description How the journey ended, or that it had not.
       * @example IN_PROGRESS
       * @enum {string}
       */
      readonly outcome: 'IN_PROGRESS' | 'SANCTIONED' | 'REJECTED' | 'ABANDONED';
      /**
       * @description The catalogue’s code.
       * @example ONLINE_PERSONAL
       */
      readonly productCode: string;
      /**
       * @description Where the journey stood.
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
       * @description What the step asks of the caller.
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
      /** @description Each as the body of its webhook, byte for byte: of journeys, and alerts. */
      readonly events: readonly (
        | components['schemas']['WebhookEventView']
        | components['schemas']['EndpointFailingView']
        | components['schemas']['EndpointDisabledView']
        | components['schemas']['KeyLimitNearView']
      )[];
      /** @description Whether there are more at once; if not, ask again later. */
      readonly hasMore: boolean;
      /**
       * @description The query parameters that this call does not know, and ignored; absent when it knows all.
       * @example [
       *       "journeyID"
       *     ]
       */
      readonly ignoredParameters?: readonly string[];
      /**
       * @description `after` for the next call, whether there are events on this page or not.
       * @example evc_5MF_gh759oW4p2wTI_9U5xC-yanjyzExK0eGbcSCf_E_nIqpNtgTLu7B8mX7DP4c4UZ5xg
       */
      readonly next: string;
    };
    readonly FailingEndpointView: {
      /**
       * Format: date-time
       * @description The first of the failures in a row.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly failingSince: string;
      /**
       * @description Failed attempts in a row.
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
      /** @description Every bad field, when `code` is `validation_failed`. */
      readonly details?: readonly {
        /** @description Dotted from the body’s root: `customer.pan`. */
        readonly field: string;
        /** @description What would be right. */
        readonly message: string;
      }[];
      /** @description For people; its wording may change. */
      readonly error: string;
      /** @description Sandbox only, when a key or a signature is refused: which mistake it fits, what the server signed, how far the clock is off. */
      readonly hint?: string;
      /** @enum {boolean} */
      readonly success: false;
    };
    readonly GivenConsent: {
      /**
       * Format: date-time
       * @description When the applicant agreed; not in the future, and not more than 30 days ago.
       * @example 2026-01-31T15:30:00+05:30
       */
      readonly givenAt: string;
      /**
       * @description The language that it was shown in.
       * @example en
       * @enum {string}
       */
      readonly language: 'en' | 'hi';
      /**
       * @description The lenders that the text named, by their codes (`GET /products`), in its order. No other is asked. Left out, the consent is recorded as the partner’s word, not as a consent to the text.
       * @example [
       *       "kaverisetu",
       *       "navdhara"
       *     ]
       */
      readonly lenderCodes?: readonly string[];
      /**
       * @description The version of our text that the applicant agreed to.
       * @example 7
       * @enum {string}
       */
      readonly textVersion: '7';
    };
    readonly GoldLoanDetails: {
      /**
       * @description How much of `grams` are coins, if you know it: at most 50 g (RBI (Lending Against Gold and Silver Collateral) Directions, 2025). It is checked and not kept.
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
      /** @description For a partner that shows our consent text. Left out, or null, `termsAccepted` or the partner’s agreement is recorded as the partner’s word that the applicant has consented. */
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
    };
    readonly InitiateBodyB: {
      /**
       * @description API_HOSTED: the applicant goes through our screens. API_HEADLESS: your app drives each step.
       * @example API_HEADLESS
       * @enum {string}
       */
      readonly channel?: 'API_HOSTED' | 'API_HEADLESS';
      /** @description For a partner that shows our consent text. Left out, or null, `termsAccepted` or the partner’s agreement is recorded as the partner’s word that the applicant has consented. */
      readonly consent?: components['schemas']['GivenConsent'];
      readonly customer: components['schemas']['CustomerB'];
      /** @description Required for ONLINE_GOLD, ignored for every other product. */
      readonly goldLoanDetails?: components['schemas']['GoldLoanDetails'];
      /**
       * @description In rupees, at most two decimals, within the range of the product. Left out: a hosted journey asks the applicant, a headless one takes the product’s default.
       * @example 200000
       */
      readonly loanAmount?: number;
      /**
       * @description The applicant’s mobile number, ten digits without a country code.
       * @example 9876543210
       */
      readonly mobile: string;
      /**
       * @description The key’s default when left out; PERSONAL_LOAN and GOLD_LOAN are older names.
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
           * @description In rupees. 0 beside the other income counts as left out.
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
           * @description What the money is for.
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
           * @description In rupees. 0 beside the other income counts as left out.
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
           * @description In rupees. 0 beside the other income counts as left out.
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
           * @description What the money is for.
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
           * @description In rupees. 0 beside the other income counts as left out.
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
      /** @description For a partner that shows our consent text. Left out, or null, `termsAccepted` or the partner’s agreement is recorded as the partner’s word that the applicant has consented. */
      readonly consent?: components['schemas']['GivenConsent'];
      readonly customer: components['schemas']['InstantCustomer'];
      /**
       * @description In rupees, within the range of the product; the product’s default when left out.
       * @example 25000
       */
      readonly loanAmount?: number;
      /**
       * @description The applicant’s mobile number, ten digits without a country code.
       * @example 9876543210
       */
      readonly mobile: string;
    };
    readonly JourneyView: {
      /**
       * @description The lead that the journey is.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description How the applicant is led.
       * @example API_HOSTED
       * @enum {string}
       */
      readonly channel: 'API_HOSTED' | 'API_HEADLESS';
      /**
       * Format: date-time
       * @description When it was started.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description What to do now. */
      readonly currentNextAction: components['schemas']['NextActionView'];
      /**
       * Format: date-time
       * @description When the lender paid out.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly disbursedAt?: string;
      /**
       * @description The journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId: string;
      /** @description The lenders that were asked and of which there is no offer, once the offers are there. */
      readonly lendersWithoutOffer?: readonly components['schemas']['LenderWithoutOfferView'][];
      /**
       * @description The amount asked for, in rupees.
       * @example 200000
       */
      readonly loanAmount: number;
      /**
       * @description PARTNER: you sent `loanAmount`. APPLICANT: the applicant named it on our screens. DEFAULT: it is the product’s default, because no amount was named.
       * @example PARTNER
       * @enum {string}
       */
      readonly loanAmountSource: 'PARTNER' | 'APPLICANT' | 'DEFAULT';
      /** @description The lenders’ offers, lowest APR first. */
      readonly offers: readonly components['schemas']['OfferView'][];
      /**
       * @description How the journey ended, or that it has not.
       * @example IN_PROGRESS
       * @enum {string}
       */
      readonly outcome: 'IN_PROGRESS' | 'SANCTIONED' | 'REJECTED' | 'ABANDONED';
      /**
       * @description Why it was rejected, or that the applicant has stopped it.
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
        | 'DISBURSEMENT_FAILED'
        | 'CONSENT_WITHDRAWN';
      /**
       * @description How long to wait before reading it again.
       * @example 2
       */
      readonly pollIntervalSeconds: number;
      /**
       * @description The catalogue’s code, also when an older name was sent.
       * @example ONLINE_PERSONAL
       * @enum {string}
       */
      readonly productCode:
        | 'ONLINE_PERSONAL'
        | 'ONLINE_SHORT_TERM'
        | 'ONLINE_BUSINESS'
        | 'ONLINE_GOLD'
        | 'ONLINE_INSTANT';
      /** @description The offer that was chosen, quoted for the chosen amount; null before. */
      readonly selectedOffer: components['schemas']['SelectedOfferView'] | null;
      /**
       * @description Where the journey stands:
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
       *     - `SANCTIONED` is the end
       *     - `REJECTED` is the end
       *     - `ABANDONED` is the end
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
       * @description When it last changed.
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
       * @description When it was found.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description Which key, and how much of its limit is used. */
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
    readonly LeadsPage: {
      /**
       * @description The query parameters that this call does not know, and ignored; absent when it knows all.
       * @example [
       *       "journeyID"
       *     ]
       */
      readonly ignoredParameters?: readonly string[];
      /** @description Newest first. */
      readonly leads: readonly components['schemas']['LeadView'][];
      /**
       * @description The most leads on a page.
       * @example 20
       */
      readonly limit: number;
      /**
       * @description This page, from 1.
       * @example 1
       */
      readonly page: number;
      /**
       * @description How many leads the filters match.
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
       * @description Of a journey’s lead, the journey’s state:
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
       *     - `SANCTIONED` is the end
       *     - `REJECTED` is the end
       *     - `ABANDONED` is the end
       *
       *     Of an instant loan:
       *
       *     - `PAYMENT_PENDING` leads to `REJECTED`, `PAYMENT_RECEIVED`, `PAYMENT_FAILED`, `EXPIRED`
       *     - `PAYMENT_FAILED` leads to `PAYMENT_PENDING`, `PAYMENT_RECEIVED`, `EXPIRED`
       *     - `PAYMENT_RECEIVED` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is the end
       *     - `REJECTED` is the end
       *     - `EXPIRED` is the end
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
    };
    readonly LeadView: {
      /**
       * @description The application.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * @description Its journey.
       * @example jrn_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly journeyId?: string;
      /**
       * @description The amount asked for, in rupees.
       * @example 200000
       */
      readonly loanAmount: number;
      /**
       * @description PARTNER: you sent `loanAmount`. APPLICANT: the applicant named it on our screens. DEFAULT: it is the product’s default, because no amount was named.
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
       * @description Of a journey’s lead, the journey’s state:
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
       *     - `SANCTIONED` is the end
       *     - `REJECTED` is the end
       *     - `ABANDONED` is the end
       *
       *     Of an instant loan:
       *
       *     - `PAYMENT_PENDING` leads to `REJECTED`, `PAYMENT_RECEIVED`, `PAYMENT_FAILED`, `EXPIRED`
       *     - `PAYMENT_FAILED` leads to `PAYMENT_PENDING`, `PAYMENT_RECEIVED`, `EXPIRED`
       *     - `PAYMENT_RECEIVED` leads to `SANCTIONED`, `REJECTED`
       *     - `SANCTIONED` is the end
       *     - `REJECTED` is the end
       *     - `EXPIRED` is the end
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
       * @description When the application was made.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly submittedAt: string;
    };
    readonly LenderWithoutOfferView: {
      /**
       * @description The lender.
       * @example Tarang Udyam Finance Limited
       */
      readonly name: string;
      /**
       * @description DECLINED: it makes no offer. UNREACHABLE: it could not be asked. NO_ANSWER: it did not answer in time. OFFER_REFUSED: its offer did not hold when its figures were computed again.
       * @example DECLINED
       * @enum {string}
       */
      readonly standing: 'DECLINED' | 'UNREACHABLE' | 'NO_ANSWER' | 'OFFER_REFUSED';
    };
    readonly NearLimitView: {
      /**
       * Format: date
       * @description The day, in India.
       * @example 2026-01-31
       */
      readonly day: string;
      /**
       * @description How the key begins, as the workbench shows it.
       * @example rinpath_live_AHZG…
       */
      readonly keyHint: string;
      /**
       * @description The key’s name.
       * @example backend
       */
      readonly keyName: string;
      /**
       * @description The limit of the day.
       * @example 20000
       */
      readonly limit: number;
      /**
       * @description Requests of the day so far.
       * @example 16000
       */
      readonly used: number;
    };
    readonly NextActionAnswer: {
      /** @description What to do now. */
      readonly nextAction: components['schemas']['NextActionView'];
    };
    readonly NextActionView: {
      /**
       * @description POLL: read the journey again after pollIntervalSeconds. REDIRECT: send the applicant to url. ACTION: submit the action that type names. WAIT: the applicant is on our screens. DONE: over.
       * @example POLL
       * @enum {string}
       */
      readonly category: 'POLL' | 'REDIRECT' | 'ACTION' | 'WAIT' | 'DONE';
      /**
       * @description What comes next:
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
       *     - `JOURNEY_COMPLETED` (DONE) in `SANCTIONED`, is the end
       *     - `JOURNEY_REJECTED` (DONE) in `REJECTED`, is the end
       *     - `JOURNEY_ABANDONED` (DONE) in `ABANDONED`, is the end
       *     - `WAITING_FOR_REDIRECT` (WAIT) in every state of a hosted journey until it is over
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
       * @description Annual percentage rate by the method of the RBI’s Key Facts Statement.
       * @example 13.23
       */
      readonly apr: number;
      /** @description Gold loans: where the gold can be brought; else empty. */
      readonly branchLocations: readonly components['schemas']['BranchLocationView'][];
      /** @description Charges that fall due only if something happens. */
      readonly contingentCharges?: readonly components['schemas']['ContingentChargeView'][];
      /**
       * @description Days after the payout in which the loan can be left without a penalty.
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
       * @description The Key Facts Statement, a page to show to the applicant.
       * @example https://rinpath.example/kfs/token
       */
      readonly kfsLink: string;
      /**
       * @description The last instalment, in rupees: it closes the loan, and makes up for the rounding of the others.
       * @example 6603
       */
      readonly lastEmiAmount?: number;
      /**
       * @description The metric that ranks the offers, and its version, while there is a choice.
       * @example APR_ASC/5
       */
      readonly metric?: string;
      /**
       * @description The least that may be taken of this offer, in rupees.
       * @example 1000
       */
      readonly minimumLoanAmount: number;
      /**
       * @description What is paid out: the principal less the charges, in rupees.
       * @example 195080
       */
      readonly netDisbursedAmount: number;
      /**
       * @description What SELECT_OFFER takes.
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
       * @description Its place among the offers, from 1, while there is a choice.
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
       * @description After this the offer can no longer be selected.
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
       * @description Its legal name, by which a consent’s text names it.
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
       * @description What to list it under.
       * @example Personal
       */
      readonly category: string;
      /**
       * @description OFFLINE: listed, and not taken by initiate.
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
       * @description What to call it.
       * @example Personal loan
       */
      readonly displayName: string;
      /**
       * @description The name of its icon.
       * @example personal-loan
       */
      readonly icon: string;
      /** @description The lenders that are asked at present; none: left out. */
      readonly lenders?: readonly components['schemas']['ProductLenderView'][];
      /**
       * @description Who provides it.
       * @example Rinpath lending partners
       */
      readonly provider: string;
    };
    readonly RecoveredDeliveries: {
      /** @description Whether there are more: make the same call again. */
      readonly hasMore: boolean;
      /**
       * @description How many deliveries are due again.
       * @example 12
       */
      readonly recovered: number;
    };
    readonly RecoveryBody: {
      /**
       * Format: date-time
       * @description Deliveries of events from then on: a date-time with its offset.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly since: string;
    };
    readonly RedeliveredDelivery: {
      /**
       * @description The delivery, which is due now.
       * @example dlv_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly deliveryId: string;
    };
    readonly RegisteredSubscription: {
      /**
       * @description The signing secret, shown once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3bK4uXk0pQg=
       */
      readonly secret: string;
      /**
       * @description The subscription.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
      /**
       * @description Only when another subscription of the partner has the same `url`.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07 has the same url. An event for both is sent once for each; the header x-rinpath-subscription-id names the subscription.
       */
      readonly warning?: string;
    };
    readonly RotatedSecret: {
      /**
       * @description The signing secret, shown once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3bK4uXk0pQg=
       */
      readonly secret: string;
    };
    readonly SandboxPaymentBody: {
      /**
       * @description What comes of the payment.
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
       * @description What comes of the payment: what was asked for, unless the reserved PAN `SANDX0010A` has it fail.
       * @example PAID
       * @enum {string}
       */
      readonly outcome: 'PAID' | 'FAILED';
    };
    readonly SandboxTimeBody:
      | {
          /**
           * @description By how many seconds. Give this or `to`.
           * @example 604800
           */
          readonly advanceSeconds: number;
          /**
           * Format: date-time
           * @description To which moment, later than the sandbox’s time. Sent again within five minutes of it, it moves no further.
           * @example 2026-02-07T15:30:00+05:30
           */
          readonly to?: string;
        }
      | {
          /**
           * @description By how many seconds. Give this or `to`.
           * @example 604800
           */
          readonly advanceSeconds?: number;
          /**
           * Format: date-time
           * @description To which moment, later than the sandbox’s time. Sent again within five minutes of it, it moves no further.
           * @example 2026-02-07T15:30:00+05:30
           */
          readonly to: string;
        };
    readonly SandboxTimeView: {
      /**
       * Format: date-time
       * @description What time the sandbox had before.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly from: string;
      /** @description False when there was more to do than one call has time for: call again with the same `to`. */
      readonly hasArrived: boolean;
      /**
       * Format: date-time
       * @description What time it has now.
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
       * @description When given, it must be the selected offer’s.
       * @example off_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly offerId?: string;
    };
    readonly SelectedOfferView: {
      /**
       * @description Annual percentage rate by the method of the RBI’s Key Facts Statement.
       * @example 13.23
       */
      readonly apr: number;
      /** @description Gold loans: the branch that was chosen. */
      readonly branchLocation?: components['schemas']['BranchLocationView'];
      /** @description Gold loans: where the gold can be brought; else empty. */
      readonly branchLocations: readonly components['schemas']['BranchLocationView'][];
      /** @description Charges that fall due only if something happens. */
      readonly contingentCharges?: readonly components['schemas']['ContingentChargeView'][];
      /**
       * @description Days after the payout in which the loan can be left without a penalty.
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
       * @description The Key Facts Statement, a page to show to the applicant.
       * @example https://rinpath.example/kfs/token
       */
      readonly kfsLink: string;
      /**
       * @description The last instalment, in rupees: it closes the loan, and makes up for the rounding of the others.
       * @example 6603
       */
      readonly lastEmiAmount?: number;
      /**
       * @description The amount that was chosen, in rupees.
       * @example 150000
       */
      readonly loanAmount: number;
      /**
       * @description The metric that ranks the offers, and its version, while there is a choice.
       * @example APR_ASC/5
       */
      readonly metric?: string;
      /**
       * @description The least that may be taken of this offer, in rupees.
       * @example 1000
       */
      readonly minimumLoanAmount: number;
      /**
       * @description What is paid out: the principal less the charges, in rupees.
       * @example 195080
       */
      readonly netDisbursedAmount: number;
      /**
       * @description What SELECT_OFFER takes.
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
       * @description Its place among the offers, from 1, while there is a choice.
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
       * @description After this the offer can no longer be selected.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly validUntil: string;
    };
    readonly SelectOfferPayload: {
      /**
       * @description In rupees, from the offer’s minimumLoanAmount to its principalAmount, which is taken when left out.
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
       * @description The lead that the journey is.
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
      /** @description What to do now. */
      readonly nextAction: components['schemas']['NextActionView'];
    };
    readonly SubscriptionList: {
      /** @description The partner’s subscriptions. */
      readonly subscriptions: readonly components['schemas']['SubscriptionView'][];
    };
    readonly SubscriptionView: {
      /**
       * @description Failed attempts in a row.
       * @example 0
       */
      readonly failureCount: number;
      /** @description Whether events are sent; an inactive one loses nothing for 30 days. */
      readonly isActive: boolean;
      /**
       * Format: date-time
       * @description The last attempt that succeeded; null before the first.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly lastDeliveryAt: string | null;
      /** @description Spelled out, also when the subscription takes every event of journeys. */
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
       * @description Where the events are sent.
       * @example https://partner.example/hooks/loans
       */
      readonly url: string;
    };
    readonly TestResult: {
      /**
       * @description How long it took, in milliseconds.
       * @example 87
       */
      readonly durationMs: number;
      /**
       * @description The test event.
       * @example evt_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly eventId: string;
      /**
       * @description Why no usable answer came; null when one came.
       * @example TLS
       */
      readonly failure: string | null;
      /** @description Whether the address answered 2xx within 5 seconds. */
      readonly isDelivered: boolean;
      /**
       * @description The first kilobyte of the answer, personal data masked; null when no answer came.
       * @example ok
       */
      readonly responseExcerpt: string | null;
      /**
       * @description The status that was answered; null when no answer came.
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
       * @description The lead that the journey is.
       * @example app_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly applicationId: string;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly createdAt: string;
      /** @description The journey at that moment; no personal data. */
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
       * @description Counts the journey’s events from 1, so that a stale one can be dropped.
       * @example 4
       */
      readonly sequence: number;
    };
    readonly WebhookRegistrationBody: {
      /** @description Empty or left out: every event of journeys, those added later too. Alerts are sent only where they are named. */
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
        | 'webhook.endpoint_failing'
        | 'webhook.endpoint_disabled'
        | 'api_key.limit_near'
      )[];
      /**
       * Format: uri
       * @description An https address of at most 2,048 characters, without credentials or fragment. A sandbox on your own machine takes http on loopback, too.
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
       * @description That it is a test.
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
       * @description The subscription that is tested.
       * @example sub_01a1fcf153ae76b2be3e2ab68ffc4d07
       */
      readonly subscriptionId: string;
    };
    readonly WorkbenchLinkView: {
      /**
       * Format: date-time
       * @description Until when it can be opened: 5 minutes.
       * @example 2026-01-31T10:00:00.000Z
       */
      readonly expiresAt: string;
      /**
       * Format: uri
       * @description Where the workbench is opened, once. Hand it to your engineer alone.
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
  readonly listEvents: {
    readonly parameters: {
      readonly query?: {
        /** @description `next` of the last answer; without it, or empty: from the oldest event that is kept. */
        readonly after?: string;
        /** @description Events of these names alone, with commas between them. A page looks through 1,000 events at most, so it can be short, or empty, although more follow. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
           * @description The step that the applicant is back from.
           * @enum {string}
           */
          readonly step: 'KYC' | 'MANDATE' | 'ESIGN';
        };
      };
    };
    readonly responses: {
      /** @description The call went well. */
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
      /** @description The call went well. */
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
        /** @description Leads submitted then or later: an ISO 8601 date-time, or a date for the whole day in India. */
        readonly from?: string;
        /** @description The lead of this journey. */
        readonly journeyId?: string;
        /** @description Leads on a page, at most 100. */
        readonly limit?: number;
        /** @description Leads of this product code. */
        readonly loanType?: string;
        /** @description The page, from 1. */
        readonly page?: number;
        /** @description Leads of this status. */
        readonly status?: string;
        /** @description Leads submitted then or earlier: an ISO 8601 date-time, or a date for the whole day in India. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
        /** @description Deliveries older than this one: `nextBefore` of the page before. */
        readonly before?: string;
        /** @description Deliveries on a page. */
        readonly limit?: number;
        /** @description Deliveries of this status. A page looks through 10,000 deliveries at most, so it can be short. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
      /** @description The call went well. */
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
