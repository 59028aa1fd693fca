import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type SendingBench, sendingTests } from './sending-bench.js';

const DAY_MS = 86_400_000;

interface DeliveryShown {
  deliveryId: string;
  eventId: string;
  event: string;
  status: string;
  createdAt: string;
  nextAttemptAt: string | null;
  attempts: { attempt: number; responseStatus: number | null; durationMs: number }[];
}

interface PageShown {
  deliveries: DeliveryShown[];
  nextBefore: string | null;
}

let sending: SendingBench;
let id: string;
let secret: string;

sendingTests((started) => {
  sending = started;
});

beforeEach(async () => {
  ({ id, secret } = await sending.subscribe());
});

async function deliveries(query = ''): Promise<PageShown> {
  const answer = await sending.partner.get<PageShown>(`/webhooks/${id}/deliveries${query}`);
  expect(answer.status).toBe(200);
  return answer.json.data;
}

function allAre(status: string): Promise<DeliveryShown[]> {
  return eventually(async () => {
    const { deliveries: shown } = await deliveries();
    expect(shown.map((one) => one.status)).toEqual(shown.map(() => status));
    return shown;
  });
}

function call(path: string, body?: object) {
  return sending.partner.post(`/webhooks/${id}/${path}`, body);
}

function setLane(columns: string): Promise<unknown> {
  return sending.database.query(`UPDATE webhook_lanes SET ${columns} WHERE subscription_id = $1`, [
    id,
  ]);
}

describe('GET /webhooks/{id}/deliveries', () => {
  it('shows each delivery with its attempts: status, duration and the answer’s first kilobyte', async () => {
    sending.receiver.answerNext({ status: 503, body: 'x'.repeat(5_000) });
    await sending.publish();
    await sending.recorded(id, 1);
    const [waiting] = (await deliveries()).deliveries;
    expect(waiting).toMatchObject({
      status: 'PENDING',
      event: 'journey.initiated',
      nextAttemptAt: expect.stringMatching(/Z$/) as string,
      attempts: [{ attempt: 1, responseStatus: 503, responseExcerpt: 'x'.repeat(1_024) }],
    });
    await sending.travel(7_000);
    const [done] = await allAre('SUCCEEDED');
    expect(done).toMatchObject({ deliveryId: waiting.deliveryId, nextAttemptAt: null });
    expect(done.attempts.map(({ responseStatus }) => responseStatus)).toEqual([503, 200]);
    expect(done.attempts[1].durationMs).toBeGreaterThanOrEqual(0);
    expect(done.eventId).toBe(sending.receiver.deliveries[0].headers['webhook-id']);
  });

  it('pages from the newest to the oldest, and filters by status', async () => {
    await sending.publish(5);
    const ids = (await allAre('SUCCEEDED')).map(({ deliveryId }) => deliveryId);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const first = await deliveries('?limit=2');
    const second = await deliveries(`?limit=3&before=${first.nextBefore}`);
    expect(second.nextBefore).toBeNull();
    const paged = [...first.deliveries, ...second.deliveries];
    expect([first.deliveries.length, paged.map(({ deliveryId }) => deliveryId)]).toEqual([2, ids]);
    expect((await deliveries('?status=SUCCEEDED')).deliveries).toHaveLength(5);
    expect((await deliveries('?status=EXHAUSTED')).deliveries).toEqual([]);
  });
});

describe('POST /webhooks/{id}/test', () => {
  it('sends a signed webhook.test and tells what came of it', async () => {
    sending.receiver.answerNext({ status: 202, body: 'thanks' });
    const answer = await call('test');
    const [delivery] = sending.receiver.deliveries;
    const signature = createHmac('sha256', secret).update(delivery.body).digest('hex');
    expect(delivery.headers).toMatchObject({
      'x-rinpath-signature': signature,
      'x-rinpath-event': 'webhook.test',
      'x-rinpath-subscription-id': id,
    });
    expect(delivery.json()).toMatchObject({ event: 'webhook.test', subscriptionId: id });
    expect([answer.status, answer.json.data]).toMatchObject([
      200,
      {
        eventId: delivery.headers['webhook-id'],
        isDelivered: true,
        responseStatus: 202,
        responseExcerpt: 'thanks',
        failure: null,
      },
    ]);
  });

  it('tells a failure in the same way, and it counts for nothing', async () => {
    sending.receiver.answerNext(500, { hangUp: true });
    const [refused, broken] = [await call('test'), await call('test')];
    expect(refused.json.data).toMatchObject({ isDelivered: false, responseStatus: 500 });
    expect(broken.json.data).toMatchObject({ isDelivered: false, failure: 'CONNECTION' });
    expect((await deliveries()).deliveries).toEqual([]);
    expect(await sending.listed(id)).toMatchObject({ failureCount: 0, lastDeliveryAt: null });
  });
});

describe('behind a breaker that stays open for ten minutes', () => {
  const breakOpen = () =>
    setLane(`failure_count = 7, failing_since = app_now(),
      probe_at = app_now() + interval '10 minutes', probe_wait_seconds = 600`);

  it('a delivery that is sent again sends the same event and the same bytes, at once, before what waits', async () => {
    await sending.publish();
    const [delivery] = await allAre('SUCCEEDED');
    await breakOpen();
    await sending.publish(2);
    expect((await call(`deliveries/${delivery.deliveryId}/redeliver`)).status).toBe(200);
    const [first, second] = await sending.receiver.waitForCount(2);
    expect(second.body).toEqual(first.body);
    expect(second.headers['webhook-id']).toBe(delivery.eventId);
    expect(second.headers['x-rinpath-attempt']).toBe('2');
    // Its success lets the others follow.
    expect(await sending.receiver.waitForCount(4)).toHaveLength(4);
  });

  it('what waits goes out when a test has succeeded, and not when it has failed', async () => {
    await breakOpen();
    await sending.publish(2);
    sending.receiver.answerNext(500);
    await call('test');
    const [lane] = await sending.database.query<{ probe_at: Date | null }>(
      'SELECT probe_at FROM webhook_lanes WHERE subscription_id = $1',
      [id],
    );
    expect(lane.probe_at).not.toBeNull();
    expect(sending.receiver.deliveries).toHaveLength(1);
    await call('test');
    expect(await allAre('SUCCEEDED')).toHaveLength(2);
  });
});

describe('a subscription whose address answers 410', () => {
  it('goes inactive, parks what comes, and sends it all once it is enabled', async () => {
    sending.receiver.answerNext(410);
    await sending.publish();
    await allAre('PAUSED');
    expect(await sending.listed(id)).toMatchObject({ isActive: false, failureCount: 1 });
    await sending.publish(3);
    await sending.travel(29 * DAY_MS);
    expect(await allAre('PAUSED')).toHaveLength(4);
    expect(sending.receiver.deliveries).toHaveLength(1);
    const refused = await call('recover', { since: new Date(0).toISOString() });
    expect(refused.json.code).toBe('subscription_inactive');
    const enabled = await call('enable');
    expect([enabled.status, enabled.json.data]).toMatchObject([
      200,
      { subscriptionId: id, isActive: true, failureCount: 0 },
    ]);
    expect(await allAre('SUCCEEDED')).toHaveLength(4);
  });
});

describe('POST /webhooks/{id}/disable', () => {
  it('parks what waits and what comes, also when called again, until the subscription is enabled', async () => {
    sending.receiver.answerNext(500);
    await sending.publish();
    await sending.recorded(id, 1);
    for (let time = 0; time < 2; time += 1) {
      const disabled = await call('disable');
      expect([disabled.status, disabled.json.data]).toMatchObject([
        200,
        { subscriptionId: id, isActive: false, failureCount: 1 },
      ]);
    }
    await sending.publish(2);
    await sending.travel(29 * DAY_MS);
    expect(await allAre('PAUSED')).toHaveLength(3);
    expect(sending.receiver.deliveries).toHaveLength(1);
    expect((await call('rotate-secret')).status).toBe(200);
    expect((await call('enable')).json.data).toMatchObject({ isActive: true, failureCount: 0 });
    expect(await allAre('SUCCEEDED')).toHaveLength(3);
  });

  it('leaves a subscription that can be deleted, and then is unknown', async () => {
    await call('disable');
    await sending.publish();
    expect((await sending.partner.delete(`/webhooks/${id}`)).status).toBe(200);
    const { status, json } = await call('disable');
    expect([status, json.code]).toEqual([404, 'subscription_not_found']);
    expect(sending.receiver.deliveries).toHaveLength(0);
  });
});

describe('POST /webhooks/{id}/deliveries/{deliveryId}/redeliver', () => {
  it('answers 409 for one that is on its way, and 404 for one of another subscription', async () => {
    sending.receiver.answerAlways(500);
    await sending.publish();
    const [delivery] = (await deliveries()).deliveries;
    const path = `deliveries/${delivery.deliveryId}/redeliver`;
    expect((await call(path)).json.code).toBe('delivery_not_finished');
    const other = await sending.subscribe(sending.receiver.url('/other'));
    const { status, json } = await sending.partner.post(`/webhooks/${other.id}/${path}`);
    expect([status, json.code]).toEqual([404, 'delivery_not_found']);
    for (const name of ['dlv_%00', '%00', `dlv_${'0'.repeat(32)}`]) {
      const none = await call(`deliveries/${name}/redeliver`);
      expect([name, none.status]).toEqual([name, 404]);
    }
  });
});

describe('POST /webhooks/{id}/recover', () => {
  async function publishFailed(count: number): Promise<void> {
    await sending.publish(count);
    await sending.database.query('DELETE FROM webhook_queue WHERE subscription_id = $1', [id]);
    await sending.database.query(
      `UPDATE webhook_deliveries SET status = 'EXHAUSTED', finished_at = app_now(), attempts = 12
       WHERE subscription_id = $1 AND status = 'PENDING'`,
      [id],
    );
  }

  it('sends everything again that failed for good since then, and nothing older', async () => {
    // Inactive, so that these events are not sent.
    await setLane('is_active = false, inactive_since = app_now()');
    await publishFailed(2);
    await sending.travel(600_000);
    const since = sending.now().toISOString();
    await publishFailed(3);
    await call('enable');
    const answer = await call('recover', { since });
    expect(answer.json.data).toEqual({ recovered: 3, hasMore: false });
    await sending.receiver.waitForCount(3);
    await eventually(async () => {
      expect((await deliveries('?status=SUCCEEDED')).deliveries).toHaveLength(3);
    });
    expect((await deliveries('?status=EXHAUSTED')).deliveries).toHaveLength(2);
    const again = await call('recover', { since: ` ${since} ` });
    expect(again.json.data).toEqual({ recovered: 0, hasMore: false });
  });
});
