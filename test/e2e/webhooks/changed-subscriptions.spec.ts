import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { HOUR_MS, type SendingBench, sendingTests } from './sending-bench.js';
import { expectSigned, verifyStandard } from './signed-delivery.js';

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

describe('a subscription', () => {
  it('that was deleted gets nothing more, not even what was waiting', async () => {
    sending.receiver.answerAlways(500);
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.recorded(id, 1);
    const seen = sending.receiver.deliveries.length;
    expect((await sending.partner.delete(`/webhooks/${id}`)).status).toBe(200);
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'CANCELLED' });
    await sending.publish();
    await sending.travel(HOUR_MS);
    // Longer than a poll of the senders.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    });
    expect(sending.receiver.deliveries).toHaveLength(seen);
  });

  it('that was deleted while a delivery was in flight stays deleted, and the answer is void', async () => {
    const before = await sending.voids();
    const deleted = Promise.withResolvers<void>();
    sending.receiver.answerNext({ status: 200, after: deleted.promise });
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.receiver.waitForCount(1);
    await sending.partner.delete(`/webhooks/${id}`);
    deleted.resolve();
    await eventually(async () => expect(await sending.voids()).toBe(before + 1));
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'CANCELLED', attempts: 0 });
  });

  it('whose secret was rotated signs with the new one at once, and with both for 24 hours', async () => {
    const { id, secret: old } = await sending.subscribe();
    const rotated = await sending.partner.post<{ secret: string }>(`/webhooks/${id}/rotate-secret`);
    const { secret } = rotated.json.data;
    await sending.publish();
    const [overlapping] = await sending.receiver.waitForCount(1);
    expectSigned(overlapping, secret);
    verifyStandard(overlapping, secret);
    verifyStandard(overlapping, old);
    await sending.recorded(id, 1);

    await sending.travel(24 * HOUR_MS - 60_000);
    await sending.publish();
    const [, nearItsEnd] = await sending.receiver.waitForCount(2);
    verifyStandard(nearItsEnd, old);
    await sending.recorded(id, 1);

    await sending.travel(61_000);
    await sending.publish();
    const later = (await sending.receiver.waitForCount(3))[2];
    verifyStandard(later, secret);
    expect(() => verifyStandard(later, old)).toThrow('No matching signature');
  });

  it('whose address answers 410 goes inactive and keeps what comes', async () => {
    sending.receiver.answerNext(410);
    const { id } = await sending.subscribe();
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'PAUSED' });
    expect(await sending.listed(id)).toMatchObject({ isActive: false, failureCount: 1 });
    await sending.publish();
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'PAUSED', attempts: 0 });
    expect(sending.receiver.deliveries).toHaveLength(1);
  });
});
