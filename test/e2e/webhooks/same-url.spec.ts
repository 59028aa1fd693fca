import { describe, expect, it } from 'vitest';
import { eventuallyFound } from '../../support/eventually.js';
import { type SendingBench, sendingTests } from './sending-bench.js';
import { SLUG } from './signed-delivery.js';

const HEADER = `x-${SLUG}-subscription-id`;

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

function register(url: string) {
  return sending.partner.post<{ subscriptionId: string; warning?: string }>('/webhooks', { url });
}

describe('a url that is registered twice', () => {
  it('is answered with a warning that names the first, however the url is written', async () => {
    const url = 'https://partner.example/hooks/twice';
    const { json: first } = await register(url);
    expect(first.data).not.toHaveProperty('warning');
    for (const again of [url, 'https://PARTNER.example:443/hooks/twice']) {
      const { status, json } = await register(again);
      expect(status).toBe(200);
      expect(json.data.warning).toContain(first.data.subscriptionId);
      expect(json.data.warning).toContain(HEADER);
    }
    const { json: other } = await register(`${url}/2`);
    expect(other.data).not.toHaveProperty('warning');
  });
});

describe('the header with the subscription’s id', () => {
  it('tells first attempts, retries, redeliveries and tests of two subscriptions apart', async () => {
    sending.receiver.answerNext(500, 500);
    const ids = [await sending.subscribe(), await sending.subscribe()].map(({ id }) => id);
    await sending.publish();
    for (const id of ids) await sending.recorded(id, 1);
    await sending.travel(7_000);
    for (const id of ids) await sending.recorded(id, 2);
    for (const id of ids) {
      const path = `/webhooks/${id}/deliveries`;
      const { json } = await sending.partner.get<{ deliveries: { deliveryId: string }[] }>(path);
      await sending.partner.post(`${path}/${json.data.deliveries[0].deliveryId}/redeliver`);
      await eventuallyFound(async () =>
        (await sending.deliveryOf(id)).attempts === 3 ? id : null,
      );
      await sending.partner.post(`/webhooks/${id}/test`);
    }
    const deliveries = await sending.receiver.waitForCount(8);
    const seen = deliveries.map(({ headers }) =>
      [HEADER, `x-${SLUG}-event`, `x-${SLUG}-attempt`].map((name) => headers[name]).join(' '),
    );
    const each = [
      'journey.initiated 1',
      'journey.initiated 2',
      'journey.initiated 3',
      'webhook.test 1',
    ];
    expect(seen.toSorted()).toEqual(
      ids.flatMap((id) => each.map((what) => `${id} ${what}`)).toSorted(),
    );
  });
});
