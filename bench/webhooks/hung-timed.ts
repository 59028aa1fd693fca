/**
 * Measures events of a healthy partner beside thousands of endpoints that respond late or never. The service’s sender
 * runs in this process. It reports when it is ready, receives an order to publish, and reports the arrival.
 *
 * The events are for an endpoint that responded before, or the first ones for newly registered endpoints of other
 * partners.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { firstEventOf, loadSubscriptions, subscriptionId } from './data.ts';
import { receiverOf } from './post.ts';
import { makeSender } from './sender.ts';

/** The order, as JSON in `HUNG`. */
export interface HungOrder {
  readonly databaseUrl: string;
  readonly receiverPorts: readonly number[];
  readonly endpoints: number;
  /** Each partner owns the same number of endpoints. */
  readonly partners: number;
  /** The path of the receiver. */
  readonly path: 'hang' | 'slow' | 'trickle';
  /** Whether they responded before. */
  readonly hasSucceeded: boolean;
}

export type HungPhase = 'known' | 'new' | 'end';

const EVENTS = { known: 100, new: 20 } as const;
const GAP_MS = 100;
/** Due deliveries of each endpoint. */
const DUE_EACH = 5;
/** By then the sender has its maximum in flight. */
const SETTLE_MS = 3_000;
const WARM_UP_EVENTS = 20;
const GIVE_UP_MS = 120_000;
const NEW_FROM = 1_000;

const HANGING = `
  WITH one AS (
    SELECT n, 'f' || lpad(n::text, 31, '0') AS id, 'hung_' || n % $2::int AS partner_id
    FROM generate_series(1, $1::int) AS n
  ),
  partner AS (INSERT INTO partners (id, name) SELECT DISTINCT partner_id, partner_id FROM one),
  lane AS (
    INSERT INTO webhook_lanes (subscription_id, partner_id, has_succeeded)
    SELECT 'sub_' || id, partner_id, $4::boolean FROM one
  ),
  subscription AS (
    INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
    SELECT 'sub_' || id, partner_id, ($5::text[])[1 + n % cardinality($5::text[])] || n, $6, app_now()
    FROM one
  ),
  made AS (
    SELECT one.id AS lane, partner_id, md5(one.id || event) AS id
    FROM one CROSS JOIN generate_series(1, $3::int) AS event
  ),
  event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || id, partner_id, 'jrn_' || id, 'journey.initiated', 1, '{}', app_now() FROM made
  ),
  delivery AS (
    INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, created_at)
    SELECT 'dlv_' || id, partner_id, 'sub_' || lane, 'evt_' || id, 'PENDING', app_now() FROM made
  )
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT 'dlv_' || id, partner_id, 'sub_' || lane, 'evt_' || id, app_now() FROM made
`;

const order = JSON.parse(process.env.HUNG ?? '{}') as HungOrder;
const sender = await makeSender(order.databaseUrl);
const client = new Client({ connectionString: order.databaseUrl });
await client.connect();
const urlOf = (place: number) => `${receiverOf(order.receiverPorts, place)}/timed/${place}`;
await loadSubscriptions(client, 1, urlOf, (secret) => sender.seal(secret));
for (let event = 0; event < WARM_UP_EVENTS; event += 1) await publish('bench', `warm_${event}`);
await untilSent();
await hang();
await sleep(SETTLE_MS);
process.on('message', (phase: HungPhase) => void run(phase));
process.send?.('hung');

async function run(phase: HungPhase): Promise<void> {
  if (phase === 'end') {
    await client.end();
    await sender.close();
    process.exit(0);
  }
  for (let event = 0; event < EVENTS[phase]; event += 1) {
    const partner = phase === 'known' ? 'bench' : await register(NEW_FROM + event);
    await publish(partner, `${phase}_${event}`);
    await sleep(GAP_MS);
  }
  process.send?.({ hasSent: await untilSent() });
}

function publish(partnerId: string, place: string): Promise<void> {
  return sender.publish(firstEventOf(partnerId, place));
}

/** A new partner with its first endpoint. */
async function register(place: number): Promise<string> {
  const partner = `new_${place}`;
  await client.query(
    `WITH partner AS (INSERT INTO partners (id, name) VALUES ($1, $1)),
     lane AS (INSERT INTO webhook_lanes (subscription_id, partner_id) VALUES ($2, $1))
     INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
     VALUES ($2, $1, $3, $4, app_now())`,
    [partner, subscriptionId(place), urlOf(place), sealed()],
  );
  return partner;
}

function sealed(): string {
  return sender.seal(`whsec_${Buffer.alloc(32).toString('base64')}`);
}

async function hang(): Promise<void> {
  const { endpoints, partners, path, hasSucceeded, receiverPorts } = order;
  await client.query(HANGING, [
    endpoints,
    partners,
    DUE_EACH,
    hasSucceeded,
    receiverPorts.map((_, place) => `${receiverOf(receiverPorts, place)}/${path}/`),
    sealed(),
  ]);
  await client.query('ANALYZE webhook_queue');
  sender.wake();
}

/** Waits until all deliveries of the healthy partners are sent. */
async function untilSent(): Promise<boolean> {
  const until = performance.now() + GIVE_UP_MS;
  while (performance.now() < until) {
    const { rows } = await client.query<{ left: boolean }>(
      `SELECT EXISTS (SELECT FROM webhook_queue WHERE partner_id NOT LIKE 'hung%') AS left`,
    );
    if (!rows[0]?.left) return true;
    await sleep(20);
  }
  return false;
}
