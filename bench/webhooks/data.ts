import { createHash } from 'node:crypto';
import type { Client } from 'pg';

const FINISHED_A_STATEMENT = 200_000;
/** The subscriptions of the finished deliveries; they must exist. */
export const FINISHED_SUBSCRIPTIONS = 100;

/** The same secret for the same subscription, in the real format. */
export function secretOf(subscription: number): string {
  return `whsec_${createHash('sha256').update(`bench ${subscription}`).digest('base64')}`;
}

const EVENT_DATA = {
  productCode: 'ONLINE_PERSONAL',
  channel: 'API_HEADLESS',
  state: 'INITIATED',
  nextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
  outcome: 'IN_PROGRESS',
} as const;

/** The body of an event, as long as a real one. */
export function eventBodyOf(eventId: string): string {
  return JSON.stringify({
    id: eventId,
    event: 'journey.initiated',
    createdAt: '2026-01-31T10:00:00.000Z',
    apiVersion: 'v1',
    sequence: 1,
    journeyId: eventId.replace('evt', 'jrn'),
    applicationId: eventId.replace('evt', 'app'),
    data: EVENT_DATA,
  });
}

/** The first event of a journey, as the service publishes it. */
export function firstEventOf(partnerId: string, index: number | string) {
  return {
    partnerId,
    journeyId: `jrn_${index}`,
    applicationId: `app_${index}`,
    name: 'journey.initiated',
    sequence: 1,
    createdAt: new Date(),
    data: EVENT_DATA,
  } as const;
}

export function subscriptionId(index: number): string {
  return `sub_${String(index).padStart(32, '0')}`;
}

/**
 * Gives existing subscriptions these addresses and secrets.
 * @param seal makes a secret into its column's text
 */
export async function loadSubscriptions(
  client: Client,
  count: number,
  urlOf: (index: number) => string,
  seal: (secret: string) => string,
): Promise<void> {
  const places = Array.from({ length: count }, (_, index) => index);
  await client.query(
    `WITH partner AS (
       INSERT INTO partners (id, name) VALUES ('bench', 'Bench') ON CONFLICT DO NOTHING
     ), lane AS (
       INSERT INTO webhook_lanes (subscription_id, partner_id)
       SELECT id, 'bench' FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING
     )
     INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
     SELECT id, 'bench', url, sealed, app_now()
     FROM unnest($1::text[], $2::text[], $3::text[]) AS s (id, url, sealed)
     ON CONFLICT (id) DO UPDATE SET url = EXCLUDED.url, secret_sealed = EXCLUDED.secret_sealed`,
    [places.map(subscriptionId), places.map(urlOf), places.map((index) => seal(secretOf(index)))],
  );
}

interface DueLot {
  readonly count: number;
  /** Used in rotation. */
  readonly subscriptions: number;
  readonly firstSubscription?: number;
  /** The first number of the ids, so that two calls make different ids. */
  readonly from: number;
}

/** Due deliveries, each of its own event. */
export async function loadDue(
  client: Client,
  { count, subscriptions, from, firstSubscription = 0 }: DueLot,
): Promise<void> {
  await client.query(LOAD, [
    from,
    from + count - 1,
    subscriptions,
    'PENDING',
    bodyPattern(),
    firstSubscription,
  ]);
  await client.query('ANALYZE webhook_queue');
}

/** Long finished deliveries, with their events and attempts. */
export async function loadFinished(client: Client, count: number): Promise<void> {
  for (let first = 0; first < count; first += FINISHED_A_STATEMENT) {
    const last = Math.min(count, first + FINISHED_A_STATEMENT) - 1;
    const values = [first, last, FINISHED_SUBSCRIPTIONS, 'SUCCEEDED', bodyPattern(), 0];
    await client.query(LOAD, values);
  }
  await client.query('VACUUM ANALYZE webhook_deliveries');
  await client.query('VACUUM ANALYZE webhook_attempts');
  await client.query('VACUUM ANALYZE webhook_events');
}

function bodyPattern(): string {
  return eventBodyOf('evt_PLACE').replaceAll('_PLACE', '_%s');
}

const LOAD = `
  WITH made AS (
    SELECT n, lpad(to_hex(n), 32, '0') AS hex,
      'sub_' || lpad(($6::bigint + n % $3)::text, 32, '0') AS subscription_id
    FROM generate_series($1::bigint, $2::bigint) AS n
  ),
  event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || hex, 'bench', 'jrn_' || hex, 'journey.initiated', 1,
      format($5, hex, hex, hex), app_now() FROM made
  ),
  delivery AS (
    INSERT INTO webhook_deliveries
      (id, partner_id, subscription_id, event_id, status, attempts, created_at, finished_at)
    SELECT 'dlv_' || hex, 'bench', subscription_id, 'evt_' || hex, $4,
      CASE WHEN $4 = 'PENDING' THEN 0 ELSE 1 END, app_now(),
      CASE WHEN $4 = 'PENDING' THEN NULL ELSE app_now() END FROM made
  ),
  attempt AS (
    INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms,
      response_status, response_excerpt)
    SELECT 'dlv_' || hex, 1, 'bench', app_now(), 3, 200, 'ok' FROM made WHERE $4 <> 'PENDING'
  )
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT 'dlv_' || hex, 'bench', subscription_id, 'evt_' || hex, app_now() FROM made
  WHERE $4 = 'PENDING'
`;
