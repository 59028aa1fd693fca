import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Endpoints } from './endpoints.ts';
import type { Poller } from './poller.ts';
import { Findings } from './run-parts.ts';

const MAX_IN_FLIGHT = 5;
const NO_ANSWER = 0;

interface DeliveryRow {
  endpoint: string;
  eventId: string;
  body: string;
  status: string;
  isQueued: boolean;
  attempts: number;
  log: number[];
}

/** Checks every event, delivery and subscription, and what the poller read. */
export class WebhookVerdict extends Findings {
  duplicates = 0;
  readonly #endpoints: Endpoints;

  constructor(pool: Pool, endpoints: Endpoints) {
    super(pool);
    this.#endpoints = endpoints;
  }

  /** @param cancelled the endpoint whose subscription was deleted */
  async onDeliveries(cancelled = ''): Promise<void> {
    const rows = await this.query<DeliveryRow>(DELIVERIES);
    for (const row of rows) this.#onDelivery(row, row.endpoint === cancelled);
    const missing = await this.query<{ id: string }>(MISSING);
    for (const { id } of missing) this.findings.push(`${id} lacks a delivery`);
    const known = new Set(rows.map(({ eventId }) => eventId));
    for (const [endpoint, id] of this.#endpoints.eventIds()) {
      this.check(known.has(id), `${endpoint} received ${id}, which never happened`);
    }
    for (const [endpoint, most] of this.#endpoints.maxAtOnce) {
      this.check(most <= MAX_IN_FLIGHT, `${endpoint} had ${most} deliveries at once`);
    }
  }

  /**
   * Checks that `GET /events` returned each event once, with the delivered bytes, and each journey's events in order.
   */
  async onStream({ events }: Poller): Promise<void> {
    const rows = await this.query<{ id: string; body: string }>(EVENTS);
    const missing = new Map(rows.map(({ id, body }) => [id, digestOf(body)]));
    const sequences = new Map<string, number>();
    for (const { id, journeyId, sequence, digest } of events) {
      this.check(missing.get(id) === digest, `${id} is in the stream again, or with other bytes`);
      missing.delete(id);
      const last = sequences.get(journeyId) ?? 0;
      this.check(sequence === last + 1, `${journeyId}: ${sequence} after ${last} in the stream`);
      sequences.set(journeyId, sequence);
    }
    for (const id of missing.keys()) this.findings.push(`${id} is not in the stream`);
  }

  async onAlerts({ alerts }: Poller): Promise<void> {
    const rows = await this.query<{ id: string; about: string }>(ALERTS);
    for (const { id, about } of rows) {
      const same = rows.filter((row) => row.about === about).length;
      this.check(same === 1, `${about} was sent ${same} times`);
      const times = alerts.filter((one) => one === id).length;
      this.check(times === 1, `${id}, an alert, is ${times} times in the stream`);
    }
    this.check(alerts.length === rows.length, 'the stream has alerts that were never written');
  }

  #onDelivery(row: DeliveryRow, isCancelled: boolean): void {
    const { endpoint, eventId, status, attempts, log } = row;
    const what = `${eventId} to ${endpoint}`;
    const posts = this.#endpoints.postsOf(endpoint, eventId);
    const received = posts.filter((post) => post.status === 200).length;
    this.duplicates += Math.max(0, received - 1);
    const isSame = posts.every(({ digest }) => digest === digestOf(row.body));
    this.check(isSame, `${what} came with other bytes`);
    const isSigned = posts.every((post) => post.isSigned);
    this.check(isSigned, `${what} came with a wrong signature`);
    const isExpected = status === 'SUCCEEDED' || (isCancelled && status === 'CANCELLED');
    this.check(isExpected, `${what} is ${status}`);
    this.check(!row.isQueued, `${what} is finished, and is in the queue`);
    this.check(log.length === attempts, `${what}: ${attempts} attempts, ${log.length} on log`);
    // Without a response, the sender may have timed out before the endpoint received the whole event.
    const answered = log.filter((one) => one !== NO_ANSWER).length;
    this.check(answered <= posts.length, `${what} has more answers on log than were given`);
    // A result that was recorded too late would be a second success, or follow the first.
    const successes = log.filter((one) => one === 200).length;
    const isLast = successes === 0 || (successes === 1 && log.at(-1) === 200);
    this.check(isLast, `${what} went on after its success: ${log.join()}`);
    if (status !== 'SUCCEEDED') return;
    this.check(received > 0, `${what} was never received`);
    this.check(successes === 1, `${what} has no success on log`);
  }
}

function digestOf(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('hex');
}

const DELIVERIES = `
  SELECT substring(s.url from '[a-z]+$') AS endpoint, e.id AS "eventId", e.body, d.status,
    EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = d.id) AS "isQueued", d.attempts,
    ARRAY(SELECT coalesce(a.response_status, ${NO_ANSWER}) FROM webhook_attempts a
      WHERE a.delivery_id = d.id ORDER BY a.attempt) AS log
  FROM webhook_deliveries d
  JOIN webhook_subscriptions s ON s.id = d.subscription_id
  JOIN webhook_events e ON e.id = d.event_id
`;

const EVENTS = 'SELECT id, body FROM webhook_events WHERE journey_id IS NOT NULL';

const ALERTS = `
  SELECT id, concat_ws(' ', name, body::json #>> '{data,subscriptionId}',
    body::json #>> '{data,failingSince}', body::json #>> '{data,disabledAt}') AS about
  FROM webhook_events WHERE journey_id IS NULL AND application_id IS NULL
`;

// All subscriptions are older than the first event; one is deleted during the run.
const MISSING = `
  SELECT e.id FROM webhook_events e
  CROSS JOIN webhook_subscriptions s
  LEFT JOIN webhook_deliveries d ON d.event_id = e.id AND d.subscription_id = s.id
  WHERE d.id IS NULL AND s.deleted_at IS NULL AND e.journey_id IS NOT NULL
`;
