/**
 * Publishes events in sequence while the service's sender runs in this process. The receiver measures the time from
 * before each event's transaction to its arrival. With `waiting`, another subscription has that many deliveries to a
 * hanging receiver.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { firstEventOf, loadDue, loadSubscriptions, subscriptionId } from './data.ts';
import { receiverOf } from './post.ts';
import { makeSender } from './sender.ts';

/** The order, as JSON in `TIMED`. */
export interface TimedOrder {
  readonly databaseUrl: string;
  readonly receiverPorts: readonly number[];
  readonly subscriptions: number;
  readonly events: number;
  /** Between two events. */
  readonly gapMs: number;
  readonly waiting: number;
}

const WARM_UP_EVENTS = 40;
const HANGING = 999_999;

const order = JSON.parse(process.env.TIMED ?? '{}') as TimedOrder;
const sender = await makeSender(order.databaseUrl);
const client = new Client({ connectionString: order.databaseUrl });
await client.connect();
await loadSubscriptions(
  client,
  order.subscriptions,
  (index) => `${receiverOf(order.receiverPorts, index)}/timed/${index}`,
  (secret) => sender.seal(secret),
);
if (order.waiting > 0) await hangInFront(order.waiting);
await publish(0, WARM_UP_EVENTS);
await sleep(500);
process.send?.('warm');
await new Promise((resolve) => process.once('message', resolve));
await publish(WARM_UP_EVENTS, order.events);
await untilSent();
process.send?.('done');
await new Promise((resolve) => process.once('message', resolve));
await client.end();
await sender.close();
process.exit(0);

async function publish(first: number, count: number): Promise<void> {
  for (let index = first; index < first + count; index += 1) {
    await sender.publish(firstEventOf('bench', index));
    await sleep(order.gapMs);
  }
}

/** Deliveries whose receiver never responds; none of the partner's events goes to it. */
async function hangInFront(waiting: number): Promise<void> {
  const id = subscriptionId(HANGING);
  await client.query(
    `WITH lane AS (
       INSERT INTO webhook_lanes (subscription_id, partner_id) VALUES ($1, 'bench')
     )
     INSERT INTO webhook_subscriptions (id, partner_id, url, events, secret_sealed, created_at)
     VALUES ($1, 'bench', $2, '{journey.abandoned}', $3, app_now())`,
    [
      id,
      `${receiverOf(order.receiverPorts, HANGING)}/hang`,
      sender.seal(`whsec_${Buffer.alloc(32).toString('base64')}`),
    ],
  );
  const lot = { count: waiting, subscriptions: 1, firstSubscription: HANGING, from: 500_000_000 };
  await loadDue(client, lot);
  sender.wake();
}

async function untilSent(): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ left: boolean }>(
      'SELECT EXISTS (SELECT FROM webhook_queue WHERE subscription_id <> $1) AS left',
      [subscriptionId(HANGING)],
    );
    if (!rows[0]?.left) return;
    await sleep(20);
  }
}
