import { describe, expect, it } from 'vitest';
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
    await sending.subscribe(other.url());
    for (let event = 0; event < 20; event += 1) await sending.publish();
    const here = await sending.receiver.waitForCount(20);
    const there = await other.waitForCount(20);
    const idsOf = (deliveries: Delivery[]) => deliveries.map((one) => one.json().id).toSorted();
    expect(new Set(idsOf(here)).size).toBe(20);
    expect(idsOf(there)).toEqual(idsOf(here));
    await other.stop();
  });

  it.each([201, 204])('has succeeded with a %d', async (status) => {
    sending.receiver.answerAlways(status);
    const { id } = await sending.subscribe();
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('has succeeded when the answer is longer than we care to read', async () => {
    sending.receiver.answerAlways({ status: 200, body: 'x'.repeat(1_000_000) });
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.recorded(id, 1);
    const [attempt] = await sending.attemptsOf(id);
    expect(attempt).toMatchObject({ responseStatus: 200, responseExcerpt: 'x'.repeat(1_024) });
  });
});
