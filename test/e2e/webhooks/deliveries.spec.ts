import { afterEach, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../../src/platform/index.js';
import { inForm } from '../../support/long-form.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { type SendingBench, sendingTests } from './sending-bench.js';
import { SLUG, expectSigned, verifyStandard } from './signed-delivery.js';

/** Attempts must be seconds apart also on the machine's clock, which signs them. */
const FIRST_WAIT_MS = 61_000;
const SECOND_WAIT_MS = 36_000;

const WAITING = inForm({ short: 3_000, long: 10_000 });
const NEIGHBOURS = 10;
const EVENTS = 4;

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a delivery', () => {
  it('carries both signatures over the exact bytes, says what it is, and is made once for each subscription, with one event id', async () => {
    const other = await WebhookReceiver.start();
    const { id, secret } = await sending.subscribe();
    const { id: otherId } = await sending.subscribe(other.url());
    await sending.publish(6);
    const [here, there] = [await sending.receiver.waitForCount(6), await other.waitForCount(6)];
    await other.stop();
    const idsOf = (deliveries: Delivery[]) => deliveries.map((one) => one.json().id).toSorted();
    expect(new Set(idsOf(here)).size).toBe(6);
    expect(idsOf(there)).toEqual(idsOf(here));
    expect(there.map(({ headers }) => headers[`x-${SLUG}-subscription-id`])).toEqual(
      there.map(() => otherId),
    );
    const [delivery] = here;
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
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await sending.listed(id)).toMatchObject({
      isActive: true,
      failureCount: 0,
      lastDeliveryAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });
});

function machineTime(): (milliseconds: number) => Promise<void> {
  let passed = 0;
  vi.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(Date.now() + passed));
  return (milliseconds) => {
    passed += milliseconds;
    return sending.travel(milliseconds);
  };
}

describe('a receiver that fails twice and then accepts', () => {
  it('gets the same event and the same bytes three times, each signed again', async () => {
    const passTime = machineTime();
    const patience = { 'retry-after': '60' };
    const refusal = { status: 503, body: 'not now\0', headers: patience };
    sending.receiver.answerNext(refusal, { hangUp: true });
    const { id, secret } = await sending.subscribe();
    await sending.publish();
    expect((await sending.recorded(id, 1)).waitSeconds).toBeGreaterThanOrEqual(60);
    expect(await sending.listed(id)).toMatchObject({ failureCount: 1, lastDeliveryAt: null });
    await passTime(FIRST_WAIT_MS);
    expect((await sending.recorded(id, 2)).waitSeconds).toBeGreaterThanOrEqual(30);
    await passTime(SECOND_WAIT_MS);
    expect(await sending.recorded(id, 3)).toMatchObject({ status: 'SUCCEEDED' });

    const deliveries = await sending.receiver.waitForCount(3);
    const [first] = deliveries;
    for (const [index, delivery] of deliveries.entries()) {
      expect(delivery.body).toEqual(first.body);
      expect(delivery.headers[`x-${SLUG}-event-id`]).toBe(first.headers[`x-${SLUG}-event-id`]);
      expect(delivery.headers[`x-${SLUG}-attempt`]).toBe(String(index + 1));
      expectSigned(delivery, secret);
      verifyStandard(delivery, secret);
    }
    const signatures = deliveries.map(({ headers }) => headers['webhook-signature']);
    expect(new Set(signatures).size).toBe(3);
    const signedAt = deliveries.map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
    expect(signedAt[1] - signedAt[0]).toBeGreaterThanOrEqual(FIRST_WAIT_MS);
    expect(signedAt[2] - signedAt[1]).toBeGreaterThanOrEqual(SECOND_WAIT_MS);
    expect(await sending.attemptsOf(id)).toMatchObject([
      { attempt: 1, responseStatus: 503, responseExcerpt: 'not now', failure: null },
      { attempt: 2, responseStatus: null, failure: 'CONNECTION' },
      { attempt: 3, responseStatus: 200 },
    ]);
    expect(await sending.listed(id)).toMatchObject({ failureCount: 0 });
  });
});

describe('beside a receiver that hangs', () => {
  it('with thousands of deliveries waiting, the others do not wait', async () => {
    const hanging = await WebhookReceiver.start();
    hanging.answerAlways({ delayMs: 60_000 });
    const { id } = await sending.subscribe(hanging.url());
    await sending.database.query(WAITING_DELIVERIES, [id, WAITING, sending.partnerId]);
    await hanging.waitForCount(1);
    const paths = Array.from({ length: NEIGHBOURS }, (_, index) => `/neighbour/${index}`);
    for (const path of paths) await sending.subscribe(sending.receiver.url(path));
    await sending.publish(EVENTS);
    const deliveries = await sending.receiver.waitForCount(NEIGHBOURS * EVENTS);
    expect(new Set(deliveries.map(({ path }) => path))).toEqual(new Set(paths));
    // The deliveries behind it were not attempted.
    const [row] = await sending.database.query<{ open: number; attempts: number }>(
      `SELECT count(*)::int AS open, sum(attempts)::int AS attempts FROM webhook_queue
       WHERE subscription_id = $1`,
      [id],
    );
    expect(row.open).toBe(WAITING + EVENTS);
    expect(row.attempts).toBeLessThanOrEqual(5);
    await hanging.stop();
  });
});

const WAITING_DELIVERIES = `
  WITH event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || md5($1 || n), $3, 'jrn_' || md5($1 || n), 'journey.abandoned', 1, '{}', app_now()
    FROM generate_series(1, $2::int) AS n
    RETURNING id
  ),
  delivery AS (
    INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, created_at)
    SELECT replace(id, 'evt', 'dlv'), $3, $1, id, 'PENDING', app_now() FROM event
    RETURNING id, event_id
  )
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT id, $3, $1, event_id, app_now() FROM delivery
`;
