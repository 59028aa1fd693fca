import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { SHOWN_STATUS } from '../../../src/webhooks/store/deliveries.repository.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { eventually, eventuallyFound } from '../../support/eventually.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './delivery-bench.js';

const SLUG = 'rinpath';
const HOUR_MS = 3_600_000;
/** What a receiver without end says every 20 ms. */
const CHUNK_BYTES = 1_024;

let replicas: TwoReplicas;
let partner: PartnerClient;
let database: Database;
let receiver: WebhookReceiver;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  partner = partnerClient(replicas.first);
  database = replicas.first.get<Database>(Database);
});

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  vi.useRealTimers();
  await receiver.stop();
  // What a test has left open would be sent to the port that it had, and so would what others publish.
  await database.query('UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()');
  await database.query('DELETE FROM webhook_queue');
});

afterAll(() => replicas.close());

async function subscribe(url = receiver.url()): Promise<{ id: string; secret: string }> {
  const answer = await partner.post<{ subscriptionId: string; secret: string }>('/webhooks', {
    url,
  });
  expect(answer.status).toBe(200);
  return { id: answer.json.data.subscriptionId, secret: answer.json.data.secret };
}

/** An event of a journey of its own, to every subscription of the partner. */
async function publish(): Promise<void> {
  const publisher = replicas.first.get<EventPublisher>(EventPublisher);
  await database.transaction((tx) => publisher.publish(tx, someEvent({ partnerId: 'demo' })));
}

interface Row {
  status: string;
  attempts: number;
  waitSeconds: number;
}

async function deliveryOf(subscriptionId: string): Promise<Row> {
  const [row] = await database.query<Row & Record<string, unknown>>(
    `SELECT ${SHOWN_STATUS} AS status, d.attempts,
       extract(epoch FROM q.next_attempt_at - app_now())::float8 AS "waitSeconds"
     FROM webhook_deliveries d LEFT JOIN webhook_queue q ON q.delivery_id = d.id
     LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
     WHERE d.subscription_id = $1 ORDER BY d.id DESC LIMIT 1`,
    [subscriptionId],
  );
  return row;
}

/** Waits until so many attempts are on record. */
function recorded(subscriptionId: string, attempts: number): Promise<Row> {
  return eventuallyFound(async () => {
    const row = await deliveryOf(subscriptionId);
    return row.attempts === attempts ? row : null;
  });
}

function attemptsOf(subscriptionId: string) {
  return database.query<Record<string, unknown>>(
    `SELECT a.attempt, a.response_status AS "responseStatus", a.failure,
       a.response_excerpt AS "responseExcerpt", a.duration_ms AS "durationMs"
     FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     WHERE d.subscription_id = $1 ORDER BY a.attempt`,
    [subscriptionId],
  );
}

async function listed(subscriptionId: string): Promise<Record<string, unknown>> {
  const answer = await partner.get<{ subscriptions: Record<string, unknown>[] }>('/webhooks');
  return answer.json.data.subscriptions.find((one) => one.subscriptionId === subscriptionId)!;
}

/** How many answers have come too late so far, on both replicas. */
async function voids(): Promise<number> {
  const counts = [replicas.first, replicas.second].map(async (one) => {
    const { values } = await one.get<WebhookMetrics>(WebhookMetrics).attempts.get();
    return values.find(({ labels }) => labels.outcome === 'void')?.value ?? 0;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Verifies as a receiver would: the contract's signature, over the raw bytes. */
function expectSigned(delivery: Delivery, secret: string): void {
  const expected = createHmac('sha256', secret).update(delivery.body).digest('hex');
  expect(delivery.headers[`x-${SLUG}-signature`]).toBe(expected);
}

/** Verifies with the library, at the time that the delivery has: the tests move the clock. */
function verifyStandard(delivery: Delivery, secret: string): unknown {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Number(delivery.headers['webhook-timestamp']) * 1_000);
  try {
    return new Webhook(secret).verify(
      delivery.body.toString('utf8'),
      delivery.headers as Record<string, string>,
    );
  } finally {
    vi.useRealTimers();
  }
}

describe('a delivery', () => {
  it('carries both signatures over the exact bytes, and says what it is', async () => {
    const { id, secret } = await subscribe();
    await publish();
    const [delivery] = await receiver.waitForCount(1);
    const body = delivery.json();
    expect(delivery).toMatchObject({ method: 'POST', path: '/hooks' });
    expectSigned(delivery, secret);
    expect(verifyStandard(delivery, secret)).toEqual(body);
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `${SLUG}-webhooks/1`,
      [`x-${SLUG}-event`]: 'journey.initiated',
      [`x-${SLUG}-event-id`]: body.id,
      [`x-${SLUG}-attempt`]: '1',
      'webhook-id': body.id,
    });
    expect(Object.keys(body)).toEqual([
      'id',
      'event',
      'createdAt',
      'apiVersion',
      'sequence',
      'journeyId',
      'applicationId',
      'data',
    ]);
    expect(await recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await listed(id)).toMatchObject({
      isActive: true,
      failureCount: 0,
      lastDeliveryAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  it('is made once for each subscription, with one event id, by two replicas together', async () => {
    const other = await WebhookReceiver.start();
    await subscribe();
    await subscribe(other.url());
    for (let event = 0; event < 20; event += 1) await publish();
    const here = await receiver.waitForCount(20);
    const there = await other.waitForCount(20);
    const idsOf = (deliveries: Delivery[]) => deliveries.map((one) => one.json().id).toSorted();
    expect(new Set(idsOf(here)).size).toBe(20);
    expect(idsOf(there)).toEqual(idsOf(here));
    await other.stop();
  });

  it.each([201, 204])('has succeeded with a %d', async (status) => {
    receiver.answerAlways(status);
    const { id } = await subscribe();
    await publish();
    expect(await recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('has succeeded when the answer is longer than we care to read', async () => {
    receiver.answerAlways({ status: 200, body: 'x'.repeat(1_000_000) });
    const { id } = await subscribe();
    await publish();
    await recorded(id, 1);
    const [attempt] = await attemptsOf(id);
    expect(attempt).toMatchObject({ responseStatus: 200, responseExcerpt: 'x'.repeat(1_024) });
  });
});

describe('a receiver whose answer has no end', () => {
  it('is read to 16 KB, which is a success, and its connection is closed', async () => {
    let written = 0;
    let hasEnded = false;
    const endless = createServer((_, response) => {
      response.writeHead(200);
      const writing = setInterval(() => {
        response.write('x'.repeat(CHUNK_BYTES));
        written += CHUNK_BYTES;
      }, 20);
      response.on('close', () => {
        clearInterval(writing);
        hasEnded = true;
      });
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const { id } = await subscribe(`http://127.0.0.1:${port}/`);
    await publish();
    // With more it would not end within five seconds.
    expect(await recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    await eventually(() => expect(hasEnded).toBe(true));
    expect(written).toBeGreaterThanOrEqual(16 * 1_024);
    endless.close();
  });
});

describe('a receiver that fails twice and then accepts', () => {
  it('gets the same event and the same bytes three times, each signed again', async () => {
    receiver.answerNext({ status: 500, body: 'not now\0' }, { hangUp: true });
    const { id, secret } = await subscribe();
    await publish();
    expect((await recorded(id, 1)).waitSeconds).toBeGreaterThan(4);
    expect(await listed(id)).toMatchObject({ failureCount: 1, lastDeliveryAt: null });
    await replicas.travel(6_000);
    expect((await recorded(id, 2)).waitSeconds).toBeGreaterThan(29);
    await replicas.travel(36_000);
    expect(await recorded(id, 3)).toMatchObject({ status: 'SUCCEEDED' });

    const deliveries = await receiver.waitForCount(3);
    const [first] = deliveries;
    for (const [index, delivery] of deliveries.entries()) {
      expect(delivery.body).toEqual(first.body);
      expect(delivery.headers[`x-${SLUG}-event-id`]).toBe(first.headers[`x-${SLUG}-event-id`]);
      expect(delivery.headers[`x-${SLUG}-attempt`]).toBe(String(index + 1));
      expectSigned(delivery, secret);
      verifyStandard(delivery, secret);
    }
    expect(deliveries[2].headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp']);
    expect(await attemptsOf(id)).toMatchObject([
      { attempt: 1, responseStatus: 500, responseExcerpt: 'not now', failure: null },
      { attempt: 2, responseStatus: null, failure: 'CONNECTION' },
      { attempt: 3, responseStatus: 200 },
    ]);
    expect(await listed(id)).toMatchObject({ failureCount: 0 });
  });
});

describe('a receiver that asks for patience', () => {
  it('with Retry-After is left alone for so long, up to an hour', async () => {
    receiver.answerNext({ status: 503, headers: { 'retry-after': '600' } });
    const patient = await subscribe();
    await publish();
    expect((await recorded(patient.id, 1)).waitSeconds).toBeCloseTo(600, -1);
    receiver.answerNext({ status: 429, headers: { 'retry-after': '86400' } });
    await replicas.travel(601_000);
    expect((await recorded(patient.id, 2)).waitSeconds).toBeCloseTo(HOUR_MS / 1_000, -1);
  });
});

describe('a receiver that must not be followed or waited for', () => {
  it('redirects in vain', async () => {
    const elsewhere = await WebhookReceiver.start();
    receiver.answerNext({ status: 307, headers: { location: elsewhere.url() } });
    const { id } = await subscribe();
    await publish();
    expect(await recorded(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ responseStatus: 307, failure: 'REDIRECT' }]);
    expect(elsewhere.deliveries).toEqual([]);
    await elsewhere.stop();
  });

  it.each([
    ['gives no answer', { delayMs: 20_000 }],
    ['stalls half way', { stall: true }],
  ])('is given up after five seconds when it %s', async (_, answer) => {
    receiver.answerNext(answer);
    const { id } = await subscribe();
    await publish();
    const attempts = await eventuallyFound(
      async () => ((await deliveryOf(id)).attempts === 1 ? attemptsOf(id) : null),
      { withinMs: 15_000 },
    );
    expect(attempts).toMatchObject([{ failure: 'TIMEOUT' }]);
    expect(attempts[0].durationMs).toBeGreaterThanOrEqual(4_950);
    expect(attempts[0].durationMs).toBeLessThan(6_000);
  });

  it('is not reached at a private address, whatever was registered', async () => {
    const { id } = await subscribe();
    await database.query('UPDATE webhook_subscriptions SET url = $2 WHERE id = $1', [
      id,
      `http://169.254.169.254:${receiver.port}/`,
    ]);
    await publish();
    await recorded(id, 1);
    expect(await attemptsOf(id)).toMatchObject([
      { failure: 'ADDRESS_REFUSED', responseStatus: null },
    ]);
  });
});

describe('a subscription', () => {
  it('that was deleted gets nothing more, not even what was waiting', async () => {
    receiver.answerAlways(500);
    const { id } = await subscribe();
    await publish();
    await recorded(id, 1);
    const seen = receiver.deliveries.length;
    expect((await partner.delete(`/webhooks/${id}`)).status).toBe(200);
    expect(await deliveryOf(id)).toMatchObject({ status: 'CANCELLED' });
    await publish();
    await replicas.travel(HOUR_MS);
    // Longer than a poll of the senders.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    });
    expect(receiver.deliveries).toHaveLength(seen);
  });

  it('that was deleted while a delivery was in flight stays deleted, and the answer is void', async () => {
    const before = await voids();
    receiver.answerNext({ status: 200, delayMs: 500 });
    const { id } = await subscribe();
    await publish();
    await receiver.waitForCount(1);
    await partner.delete(`/webhooks/${id}`);
    await eventually(async () => expect(await voids()).toBe(before + 1));
    expect(await deliveryOf(id)).toMatchObject({ status: 'CANCELLED', attempts: 0 });
  });

  it('whose secret was rotated signs with the new one at once, and with both for 24 hours', async () => {
    const { id, secret: old } = await subscribe();
    const rotated = await partner.post<{ secret: string }>(`/webhooks/${id}/rotate-secret`);
    const { secret } = rotated.json.data;
    await publish();
    const [overlapping] = await receiver.waitForCount(1);
    expectSigned(overlapping, secret);
    verifyStandard(overlapping, secret);
    verifyStandard(overlapping, old);
    await recorded(id, 1);

    await replicas.travel(24 * HOUR_MS - 60_000);
    await publish();
    const [, nearItsEnd] = await receiver.waitForCount(2);
    verifyStandard(nearItsEnd, old);
    await recorded(id, 1);

    await replicas.travel(61_000);
    await publish();
    const later = (await receiver.waitForCount(3))[2];
    verifyStandard(later, secret);
    expect(() => verifyStandard(later, old)).toThrow('No matching signature');
  });

  it('whose address answers 410 goes inactive and keeps what comes', async () => {
    receiver.answerNext(410);
    const { id } = await subscribe();
    await publish();
    expect(await recorded(id, 1)).toMatchObject({ status: 'PAUSED' });
    expect(await listed(id)).toMatchObject({ isActive: false, failureCount: 1 });
    await publish();
    expect(await deliveryOf(id)).toMatchObject({ status: 'PAUSED', attempts: 0 });
    expect(receiver.deliveries).toHaveLength(1);
  });
});

describe('a lease', () => {
  it('of a sender that died is taken over by the other replica', async () => {
    const { id } = await subscribe();
    // As a sender leaves it behind that claimed the delivery and was killed before it sent it.
    const event = `evt_${randomBytes(16).toString('hex')}`;
    await database.query(
      `INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
       VALUES ($1, 'demo', $1, 'journey.initiated', 1, '{"left":"behind"}', app_now())`,
      [event],
    );
    await database.query(
      `WITH delivery AS (
         INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status,
           created_at)
         VALUES ($1, 'demo', $2, $3, 'PENDING', app_now())
       ),
       lane AS (
         UPDATE webhook_lanes SET lease_token = lease_token + 1,
           lease_until = app_now() + interval '20 seconds' WHERE subscription_id = $2
       )
       INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id,
         next_attempt_at)
       VALUES ($1, 'demo', $2, $3, app_now())`,
      [`dlv_${randomBytes(16).toString('hex')}`, id, event],
    );
    await replicas.travel(21_000);
    const [delivery] = await receiver.waitForCount(1);
    expect(delivery.body.toString()).toBe('{"left":"behind"}');
    expect(await recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('that was taken over while its holder waited makes the holder’s answer void', async () => {
    const before = await voids();
    receiver.answerNext({ status: 500, delayMs: 1_000 });
    const { id } = await subscribe();
    await publish();
    await receiver.waitForCount(1);
    // As a third replica does once the lease has run out, which is then killed in its turn.
    await database.query(
      `UPDATE webhook_lanes SET lease_token = lease_token + 1,
         lease_until = app_now() + interval '20 seconds' WHERE subscription_id = $1`,
      [id],
    );
    await eventually(async () => expect(await voids()).toBe(before + 1));
    expect(await deliveryOf(id)).toMatchObject({ status: 'PENDING', attempts: 0 });
    expect(await listed(id)).toMatchObject({ failureCount: 0 });
    await replicas.travel(21_000);
    const [, second] = await receiver.waitForCount(2);
    expect(second.headers[`x-${SLUG}-attempt`]).toBe('1');
    expect(await recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, responseStatus: 200 }]);
  });
});
