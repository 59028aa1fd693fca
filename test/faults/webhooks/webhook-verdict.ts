import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { Findings } from '../run-parts.ts';
import type { Endpoints } from './endpoints.ts';
import type { PolledEvent } from './poller.ts';
import { streamFindings } from './stream-findings.ts';

const MAX_IN_FLIGHT = 5;

interface DeliveryRow {
  endpoint: string;
  eventId: string;
  body: string;
  status: string;
  isQueued: boolean;
  attempts: number;
  log: number[];
}

/** What must be true of every event and every subscription; each finding is a violation. */
export class WebhookVerdict extends Findings {
  posts = 0;
  duplicates = 0;
  private readonly endpoints: Endpoints;

  constructor(pool: Pool, endpoints: Endpoints) {
    super(pool);
    this.endpoints = endpoints;
  }

  async pass(cancelled: string): Promise<void> {
    const rows = await this.query<DeliveryRow>(DELIVERIES);
    for (const row of rows) this.onDelivery(row, row.endpoint === cancelled);
    await this.onMissing();
    this.onStrangers(new Set(rows.map(({ eventId }) => eventId)));
    for (const [endpoint, most] of this.endpoints.maxAtOnce) {
      this.check(most <= MAX_IN_FLIGHT, `${endpoint} had ${most} deliveries at once`);
    }
  }

  onStream(polled: readonly PolledEvent[], endpoint: string): void {
    const received = [...(this.endpoints.received.get(endpoint) ?? [])];
    const known = received.map(([id, { posts }]): [string, string[]] => [
      id,
      posts.map(({ digest }) => digest),
    ]);
    this.findings.push(...streamFindings(polled, new Map(known)));
  }

  async onAlerts(polled: readonly string[]): Promise<void> {
    const rows = await this.query<{ id: string; about: string }>(ALERTS);
    const subjects = rows.map(({ about }) => about);
    for (const about of new Set(subjects)) {
      this.check(
        subjects.filter((one) => one === about).length === 1,
        `${about} was reported twice`,
      );
    }
    for (const { id } of rows) {
      const times = polled.filter((one) => one === id).length;
      this.check(times === 1, `${id}, an alert, is ${times} times in the stream`);
    }
    this.check(polled.length === rows.length, 'the stream has alerts that were never written');
  }

  private onDelivery(row: DeliveryRow, isCancelled: boolean): void {
    const what = `${row.eventId} to ${row.endpoint}`;
    const posts = this.endpoints.received.get(row.endpoint)?.get(row.eventId)?.posts ?? [];
    const successes = posts.filter(({ status }) => status === 200).length;
    this.posts += posts.length;
    this.duplicates += Math.max(0, successes - 1);
    const digest = createHash('sha256').update(row.body, 'utf8').digest('hex');
    this.check(
      posts.every((post) => post.digest === digest),
      `${what} came with other bytes`,
    );
    const isExpected = row.status === 'SUCCEEDED' || (isCancelled && row.status === 'CANCELLED');
    this.check(isExpected, `${what} is ${row.status}`);
    this.check(!row.isQueued, `${what} is finished, and is in the queue`);
    if (row.status === 'SUCCEEDED') this.check(successes > 0, `${what} was never received`);
    this.onLog(row, what, posts.length);
  }

  /** A result that came too late would be recorded besides, or after, the one that counted. */
  private onLog({ status, attempts, log }: DeliveryRow, what: string, posts: number): void {
    this.check(
      log.length === attempts,
      `${what} has ${attempts} attempts and ${log.length} on log`,
    );
    // An attempt without a response may have ended before the endpoint received the whole body.
    const answered = log.filter((one) => one !== NO_ANSWER).length;
    this.check(answered <= posts, `${what} has more answers on log than were given`);
    const successes = log.flatMap((one, index) => (one === 200 ? [index] : []));
    const isLast = successes.length === 0 || successes[0] === log.length - 1;
    this.check(isLast && successes.length <= 1, `${what} went on after its success: ${log.join()}`);
    if (status === 'SUCCEEDED') this.check(successes.length === 1, `${what} has no success on log`);
  }

  private async onMissing(): Promise<void> {
    const rows = await this.query<{ id: string }>(MISSING);
    for (const { id } of rows) this.findings.push(`${id} lacks a delivery`);
  }

  private onStrangers(known: ReadonlySet<string>): void {
    for (const [endpoint, events] of this.endpoints.received) {
      for (const id of events.keys()) {
        this.check(known.has(id), `${endpoint} received ${id}, which never happened`);
      }
    }
  }
}

const NO_ANSWER = 0;

const DELIVERIES = `
  SELECT substring(s.url from '[a-z]+$') AS endpoint, e.id AS "eventId", e.body, d.status,
    EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = d.id) AS "isQueued", d.attempts,
    ARRAY(SELECT coalesce(a.response_status, ${NO_ANSWER}) FROM webhook_attempts a
      WHERE a.delivery_id = d.id ORDER BY a.attempt) AS log
  FROM webhook_deliveries d
  JOIN webhook_subscriptions s ON s.id = d.subscription_id
  JOIN webhook_events e ON e.id = d.event_id
`;

const ALERTS = `
  SELECT id, concat_ws(' ', name, body::json #>> '{data,subscriptionId}',
    body::json #>> '{data,failingSince}', body::json #>> '{data,disabledAt}') AS about
  FROM webhook_events WHERE journey_id IS NULL
`;

// The subscriptions exist before the first event; one is deleted during the run.
const MISSING = `
  SELECT e.id FROM webhook_events e
  CROSS JOIN webhook_subscriptions s
  LEFT JOIN webhook_deliveries d ON d.event_id = e.id AND d.subscription_id = s.id
  WHERE d.id IS NULL AND s.deleted_at IS NULL AND e.journey_id IS NOT NULL
`;
