import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Body, Data, Journey, Lead, Query, WebhookDelivery } from './operations.ts';
import { Transport } from './transport.ts';
import type { TransportOptions } from './transport.ts';

export interface StartOptions {
  /**
   * The same key with the same body within 24 hours is the same request. Default: a new key. Pass your own order's id,
   * so that a restart of your program starts nothing twice.
   */
  readonly idempotencyKey?: string;
  /** The language of the applicant's SMS, `hi` or `en`; default: the service's. */
  readonly language?: 'en' | 'hi';
}

export interface SessionOptions {
  /** `journeySession` from the response that started a headless journey. */
  readonly session?: string;
}

export interface WaitOptions extends SessionOptions {
  /** The longest wait; default: 60 seconds. */
  readonly timeoutMs?: number;
}

type StartBody = Body<'initiateJourney'>;
type Action = Body<'submitJourneyAction'>;

/**
 * Every call of a partner. Each returns `data`.
 * @throws RinpathError for a refusal, RinpathConnectionError without a response
 */
export class RinpathClient {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  /** The loan products of this key. */
  listProducts(): Promise<Data<'listProducts'>> {
    return this.#transport.send({ method: 'GET', path: '/products' });
  }

  /** Which lenders are likely to make an offer; send nothing that identifies the applicant. */
  checkEligibility(body: Body<'checkEligibility'>): Promise<Data<'checkEligibility'>> {
    return this.#transport.send({ method: 'POST', path: '/eligibility', body });
  }

  /** Starts a journey: hosted (send the applicant to `hostedUrl`) or headless (keep `journeySession`). */
  initiateJourney(body: StartBody, options: StartOptions = {}): Promise<Data<'initiateJourney'>> {
    return this.#start('/journey/initiate', body, options);
  }

  /** The journey's state, next action, offers and outcome. */
  readJourney(journeyId: string, options: SessionOptions = {}): Promise<Journey> {
    return this.#transport.send({
      method: 'GET',
      path: `/journey/${encodeURIComponent(journeyId)}`,
      ...sessionOf(options),
    });
  }

  /** Submits the action that a headless journey's `currentNextAction` names. */
  submitAction(
    journeyId: string,
    action: Action,
    options: SessionOptions,
  ): Promise<Data<'submitJourneyAction'>> {
    return this.#transport.send({
      method: 'POST',
      path: `/journey/${encodeURIComponent(journeyId)}/action`,
      body: action,
      ...sessionOf(options),
    });
  }

  /** Reports that the applicant is back from the page of the next action. */
  redirectReturned(
    journeyId: string,
    body: Body<'signalRedirectReturned'>,
    options: SessionOptions,
  ): Promise<Data<'signalRedirectReturned'>> {
    return this.#transport.send({
      method: 'POST',
      path: `/journey/${encodeURIComponent(journeyId)}/redirect-returned`,
      body,
      ...sessionOf(options),
    });
  }

  /**
   * Reads the journey at its own poll interval until `isReached` returns true. Webhooks report the same sooner.
   * @throws Error at the time limit
   */
  async waitForJourney(
    journeyId: string,
    isReached: (journey: Journey) => boolean,
    options: WaitOptions = {},
  ): Promise<Journey> {
    const timeoutMs = options.timeoutMs ?? 60_000;
    const until = Date.now() + timeoutMs;
    for (;;) {
      const journey = await this.readJourney(journeyId, options);
      if (isReached(journey)) return journey;
      const waitMs = journey.pollIntervalSeconds * 1_000;
      if (Date.now() + waitMs > until) {
        throw new Error(
          `The journey ${journeyId} is still at ${journey.state} after waiting up to ${timeoutMs / 1_000} s: ` +
            'raise timeoutMs, or read it later',
        );
      }
      await sleep(waitMs);
    }
  }

  /** Creates an application for an instant personal loan: send the applicant to `redirectUrl`. */
  createInstantLoan(
    body: Body<'createInstantLoan'>,
    options: StartOptions = {},
  ): Promise<Data<'createInstantLoan'>> {
    return this.#start('/instant-loans', body, options);
  }

  /** One page of the applications. */
  listLeads(query: Query<'listLeads'> = {}): Promise<Data<'listLeads'>> {
    return this.#transport.send({ method: 'GET', path: '/leads', query });
  }

  /** Every matching application once, newest first. */
  async *eachLead(query: Omit<Query<'listLeads'>, 'page'> = {}): AsyncGenerator<Lead, void> {
    const limit = query.limit ?? 100;
    const seen = new Set<string>();
    for (let page = 1; ; page += 1) {
      const { leads } = await this.listLeads({ ...query, limit, page });
      for (const lead of leads) {
        // A new application meanwhile moves the last one of a page to the next page.
        if (!seen.has(lead.applicationId)) yield lead;
        seen.add(lead.applicationId);
      }
      if (leads.length < limit) return;
    }
  }

  readLeadStatus(applicationId: string): Promise<Data<'readLeadStatus'>> {
    return this.#transport.send({
      method: 'GET',
      path: `/leads/${encodeURIComponent(applicationId)}/status`,
    });
  }

  /** Registers a receiver; only this response has the secret that verifies its webhooks. */
  registerWebhook(
    body: Body<'registerWebhook'>,
    options: Pick<StartOptions, 'idempotencyKey'> = {},
  ): Promise<Data<'registerWebhook'>> {
    return this.#start('/webhooks', body, options);
  }

  listWebhooks(): Promise<Data<'listWebhooks'>> {
    return this.#transport.send({ method: 'GET', path: '/webhooks' });
  }

  deleteWebhook(subscriptionId: string): Promise<Data<'deleteWebhook'>> {
    return this.#transport.send({ method: 'DELETE', path: subscription(subscriptionId) });
  }

  /** Returns a new secret; `webhook-signature` is made with every secret of the last 24 hours. */
  rotateWebhookSecret(
    subscriptionId: string,
    options: Pick<StartOptions, 'idempotencyKey'> = {},
  ): Promise<Data<'rotateWebhookSecret'>> {
    return this.#start(`${subscription(subscriptionId)}/rotate-secret`, undefined, options);
  }

  /** Sends `webhook.test` now and returns the receiver's result. */
  testWebhook(subscriptionId: string): Promise<Data<'testWebhook'>> {
    return this.#onWebhook(subscriptionId, '/test');
  }

  /** Activates a receiver after long failure; waiting events are sent first. */
  enableWebhook(subscriptionId: string): Promise<Data<'enableWebhook'>> {
    return this.#onWebhook(subscriptionId, '/enable');
  }

  /** Pauses a receiver; its events wait until it is enabled. */
  disableWebhook(subscriptionId: string): Promise<Data<'disableWebhook'>> {
    return this.#onWebhook(subscriptionId, '/disable');
  }

  /** Resends deliveries that failed since the given time. Repeat it while `hasMore`. */
  recoverWebhook(
    subscriptionId: string,
    body: Body<'recoverWebhook'>,
  ): Promise<Data<'recoverWebhook'>> {
    return this.#onWebhook(subscriptionId, '/recover', body);
  }

  /** One page of a receiver's deliveries with their attempts, newest first. */
  listWebhookDeliveries(
    subscriptionId: string,
    query: Query<'listWebhookDeliveries'> = {},
  ): Promise<Data<'listWebhookDeliveries'>> {
    return this.#transport.send({
      method: 'GET',
      path: `${subscription(subscriptionId)}/deliveries`,
      query,
    });
  }

  /** Every matching delivery, newest first. */
  async *eachWebhookDelivery(
    subscriptionId: string,
    query: Omit<Query<'listWebhookDeliveries'>, 'before'> = {},
  ): AsyncGenerator<WebhookDelivery, void> {
    let before: string | undefined;
    do {
      const page = await this.listWebhookDeliveries(subscriptionId, {
        ...query,
        ...(before === undefined ? {} : { before }),
      });
      yield* page.deliveries;
      before = page.nextBefore ?? undefined;
    } while (before !== undefined);
  }

  redeliverWebhook(subscriptionId: string, deliveryId: string): Promise<Data<'redeliverWebhook'>> {
    return this.#onWebhook(
      subscriptionId,
      `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
    );
  }

  /** One page of the events after a cursor, for partners that poll instead of receiving webhooks. */
  listEvents(query: Query<'listEvents'> = {}): Promise<Data<'listEvents'>> {
    return this.#transport.send({ method: 'GET', path: '/events', query });
  }

  /** Every page up to now. Handle a page's events before you store its `next`, from which you continue later. */
  async *eachEventsPage(query: Query<'listEvents'> = {}): AsyncGenerator<Data<'listEvents'>, void> {
    let page: Data<'listEvents'> | undefined;
    do {
      page = await this.listEvents({ ...query, ...(page && { after: page.next }) });
      yield page;
    } while (page.hasMore);
  }

  /** Returns a link that opens the workbench once, within five minutes, with this partner and the key's scopes. */
  createWorkbenchLink(): Promise<Data<'createWorkbenchLink'>> {
    return this.#transport.send({ method: 'POST', path: '/workbench-links' });
  }

  /** Pays an instant loan's fee in a sandbox, or lets the payment fail, like its applicant. */
  paySandboxInstantLoan(
    applicationId: string,
    body: Body<'paySandboxInstantLoan'>,
    options: Pick<StartOptions, 'idempotencyKey'> = {},
  ): Promise<Data<'paySandboxInstantLoan'>> {
    const path = `/sandbox/instant-loans/${encodeURIComponent(applicationId)}/payment`;
    return this.#start(path, body, options);
  }

  /**
   * Moves a sandbox's time forward. At `hasArrived: false` send the same `to` again. It may take 25 seconds: see
   * `timeoutMs`.
   */
  moveSandboxTime(body: Body<'moveSandboxTime'>): Promise<Data<'moveSandboxTime'>> {
    return this.#transport.send({ method: 'POST', path: '/sandbox/time', body });
  }

  #start<T>(path: string, body: unknown, options: StartOptions): Promise<T> {
    return this.#transport.send<T>({
      method: 'POST',
      path,
      body,
      idempotencyKey: options.idempotencyKey ?? randomUUID(),
      ...(options.language === undefined ? {} : { acceptLanguage: options.language }),
    });
  }

  #onWebhook<T>(subscriptionId: string, path: string, body?: unknown): Promise<T> {
    return this.#transport.send<T>({
      method: 'POST',
      path: subscription(subscriptionId) + path,
      body,
    });
  }
}

function subscription(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

function sessionOf({ session }: SessionOptions): { journeySession?: string } {
  return session === undefined ? {} : { journeySession: session };
}
