import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { type SendingBench, sendingTests } from './sending-bench.js';
import { SLUG, expectSigned, verifyStandard } from './signed-delivery.js';

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

describe('a delivery', () => {
  it('carries both signatures over the exact bytes, and says what it is', async () => {
    const { id, secret } = await sending.subscribe();
    await sending.publish();
    const [delivery] = await sending.receiver.waitForCount(1);
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
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await sending.listed(id)).toMatchObject({
      isActive: true,
      failureCount: 0,
      lastDeliveryAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
  });

  it('is made once for each subscription, with one event id', async () => {
    const other = await WebhookReceiver.start();
    await sending.subscribe();
    const { id } = await sending.subscribe(other.url());
    for (let event = 0; event < 6; event += 1) await sending.publish();
    const here = await sending.receiver.waitForCount(6);
    const there = await other.waitForCount(6);
    const idsOf = (deliveries: Delivery[]) => deliveries.map((one) => one.json().id).toSorted();
    expect(new Set(idsOf(here)).size).toBe(6);
    expect(idsOf(there)).toEqual(idsOf(here));
    expect(new Set(there.map(({ headers }) => headers[`x-${SLUG}-subscription-id`]))).toEqual(
      new Set([id]),
    );
    await other.stop();
  });

  it('has succeeded when the answer is longer than we care to read', async () => {
    sending.receiver.answerAlways({ status: 200, body: 'x'.repeat(1_000_000) });
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.recorded(id, 1);
    const [attempt] = await sending.attemptsOf(id);
    expect(attempt).toMatchObject({ responseStatus: 200, responseExcerpt: 'x'.repeat(1_024) });
  });

  it('whose lease was taken over while its holder waited makes the holder’s answer void', async () => {
    const before = await sending.voids();
    const taken = Promise.withResolvers<void>();
    sending.receiver.answerNext({ status: 500, after: taken.promise });
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.receiver.waitForCount(1);
    // As if a third replica took it after the lease, and was then killed, too.
    await sending.database.query(
      `UPDATE webhook_lanes SET lease_token = lease_token + 1,
         lease_until = app_now() + interval '20 seconds' WHERE subscription_id = $1`,
      [id],
    );
    taken.resolve();
    await eventually(async () => expect(await sending.voids()).toBe(before + 1));
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'PENDING', attempts: 0 });
    expect(await sending.listed(id)).toMatchObject({ failureCount: 0 });
    await sending.travel(21_000);
    const [, second] = await sending.receiver.waitForCount(2);
    expect(second.headers[`x-${SLUG}-attempt`]).toBe('1');
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await sending.attemptsOf(id)).toMatchObject([{ attempt: 1, responseStatus: 200 }]);
  });
});
