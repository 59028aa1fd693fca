import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

const DAY_MS = 86_400_000;
const UNKNOWN = `sub_${'0'.repeat(32)}`;

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

let service: TestService;
let partner: PartnerClient;
let database: Database;
let receiver: WebhookReceiver;
let id: string;
let secret: string;

beforeAll(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  database = service.get<Database>(Database);
});

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  const { json } = await partner.post<{ subscriptionId: string; secret: string }>('/webhooks', {
    url: receiver.url(),
  });
  ({ subscriptionId: id, secret } = json.data);
});

afterEach(async () => {
  await partner.delete(`/webhooks/${id}`);
  await receiver.stop();
});

async function publish(count = 1): Promise<void> {
  const publisher = service.get<EventPublisher>(EventPublisher);
  await database.transaction(async (tx) => {
    for (let event = 0; event < count; event += 1) {
      await publisher.publish(tx, someEvent({ partnerId: service.partnerId }));
    }
  });
}

async function deliveries(query = ''): Promise<PageShown> {
  const answer = await partner.get<PageShown>(`/webhooks/${id}/deliveries${query}`);
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

async function exhaust(): Promise<void> {
  await database.query('DELETE FROM webhook_queue WHERE subscription_id = $1', [id]);
  await database.query(
    `UPDATE webhook_deliveries SET status = 'EXHAUSTED', finished_at = app_now(), attempts = 12
     WHERE subscription_id = $1 AND status = 'PENDING'`,
    [id],
  );
}

async function goInactive(): Promise<void> {
  receiver.answerNext(410);
  await publish();
  await allAre('PAUSED');
}

describe('GET /webhooks/{id}/deliveries', () => {
  it('shows each delivery with its attempts: status, duration and the answer’s first kilobyte', async () => {
    receiver.answerNext({ status: 503, body: 'x'.repeat(5_000) });
    await publish();
    const [waiting] = await eventually(async () => {
      const { deliveries: shown } = await deliveries();
      expect(shown[0].attempts).toHaveLength(1);
      return shown;
    });
    expect(waiting).toMatchObject({
      status: 'PENDING',
      event: 'journey.initiated',
      nextAttemptAt: expect.stringMatching(/Z$/) as string,
      attempts: [{ attempt: 1, responseStatus: 503, responseExcerpt: 'x'.repeat(1_024) }],
    });
    await service.travel(7_000);
    const [done] = await allAre('SUCCEEDED');
    expect(done).toMatchObject({ deliveryId: waiting.deliveryId, nextAttemptAt: null });
    expect(done.attempts.map(({ responseStatus }) => responseStatus)).toEqual([503, 200]);
    expect(done.attempts[1].durationMs).toBeGreaterThanOrEqual(0);
    expect(done.eventId).toBe(receiver.deliveries[0].headers['webhook-id']);
  });

  it('pages from the newest to the oldest, and filters by status', async () => {
    await publish(5);
    const all = await allAre('SUCCEEDED');
    const ids = all.map(({ deliveryId }) => deliveryId);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const first = await deliveries('?limit=2');
    expect(first.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(0, 2));
    const second = await deliveries(`?limit=3&before=${first.nextBefore}`);
    expect(second).toMatchObject({ nextBefore: null });
    expect(second.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(2));
    expect((await deliveries('?status=SUCCEEDED')).deliveries).toHaveLength(5);
    expect((await deliveries('?status=EXHAUSTED')).deliveries).toEqual([]);
  });
});

describe('POST /webhooks/{id}/test', () => {
  it('sends a signed webhook.test and tells what came of it', async () => {
    receiver.answerNext({ status: 202, body: 'thanks' });
    const answer = await partner.post(`/webhooks/${id}/test`);
    const [delivery] = receiver.deliveries;
    const signature = createHmac('sha256', secret).update(delivery.body).digest('hex');
    expect(delivery.headers).toMatchObject({
      'x-rinpath-signature': signature,
      'x-rinpath-event': 'webhook.test',
      'x-rinpath-subscription-id': id,
    });
    expect(JSON.parse(delivery.body.toString())).toMatchObject({
      event: 'webhook.test',
      subscriptionId: id,
    });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        data: {
          eventId: delivery.headers['webhook-id'],
          isDelivered: true,
          responseStatus: 202,
          responseExcerpt: 'thanks',
          failure: null,
        },
      },
    });
  });

  it('tells a failure in the same way, and it counts for nothing', async () => {
    receiver.answerNext(500, { hangUp: true });
    const refused = await partner.post(`/webhooks/${id}/test`);
    expect(refused.json.data).toMatchObject({ isDelivered: false, responseStatus: 500 });
    const broken = await partner.post(`/webhooks/${id}/test`);
    expect(broken.json.data).toMatchObject({ isDelivered: false, failure: 'CONNECTION' });
    expect((await deliveries()).deliveries).toEqual([]);
    const { json } = await partner.get<{ subscriptions: Record<string, unknown>[] }>('/webhooks');
    const own = json.data.subscriptions.find((one) => one.subscriptionId === id);
    expect(own).toMatchObject({ failureCount: 0, lastDeliveryAt: null });
  });
});

describe('behind a breaker that stays open for ten minutes', () => {
  async function breakOpen(): Promise<void> {
    await database.query(
      `UPDATE webhook_lanes SET failure_count = 7, failing_since = app_now(),
         probe_at = app_now() + interval '10 minutes', probe_wait_seconds = 600
       WHERE subscription_id = $1`,
      [id],
    );
  }

  it('a delivery that is sent again sends the same event and the same bytes, at once, before what waits', async () => {
    await publish();
    const [delivery] = await allAre('SUCCEEDED');
    await breakOpen();
    await publish(2);
    const path = `/webhooks/${id}/deliveries/${delivery.deliveryId}/redeliver`;
    expect((await partner.post(path)).status).toBe(200);
    const [first, second] = await receiver.waitForCount(2);
    expect(second.body).toEqual(first.body);
    expect(second.headers['webhook-id']).toBe(delivery.eventId);
    expect(second.headers['x-rinpath-attempt']).toBe('2');
    // It arrived, so the others follow.
    expect(await receiver.waitForCount(4)).toHaveLength(4);
  });

  it('what waits goes out when a test has succeeded, and not when it has failed', async () => {
    await breakOpen();
    await publish(2);
    receiver.answerNext(500);
    await partner.post(`/webhooks/${id}/test`);
    const [lane] = await database.query<{ probe_at: Date | null }>(
      'SELECT probe_at FROM webhook_lanes WHERE subscription_id = $1',
      [id],
    );
    expect(lane.probe_at).not.toBeNull();
    expect(receiver.deliveries).toHaveLength(1);
    await partner.post(`/webhooks/${id}/test`);
    expect(await allAre('SUCCEEDED')).toHaveLength(2);
  });
});

describe('a subscription that went inactive', () => {
  it('parks what comes, and sends it all once it is enabled', async () => {
    await goInactive();
    await publish(3);
    await service.travel(29 * DAY_MS);
    expect(await allAre('PAUSED')).toHaveLength(4);
    expect(receiver.deliveries).toHaveLength(1);
    const since = service.now().toISOString();
    const refused = await partner.post(`/webhooks/${id}/recover`, { since });
    expect(refused.json.code).toBe('subscription_inactive');
    const enabled = await partner.post(`/webhooks/${id}/enable`);
    expect(enabled).toMatchObject({
      status: 200,
      json: { data: { subscriptionId: id, isActive: true, failureCount: 0 } },
    });
    expect(await allAre('SUCCEEDED')).toHaveLength(4);
  });
});

describe('POST /webhooks/{id}/deliveries/{deliveryId}/redeliver', () => {
  it('answers 409 for one that is on its way, and 404 for one of another subscription', async () => {
    receiver.answerAlways(500);
    await publish();
    const [delivery] = (await deliveries()).deliveries;
    const path = `/deliveries/${delivery.deliveryId}/redeliver`;
    expect((await partner.post(`/webhooks/${id}${path}`)).json.code).toBe('delivery_not_finished');
    const other = await partner.post<{ subscriptionId: string }>('/webhooks', {
      url: receiver.url('/other'),
    });
    const otherId = other.json.data.subscriptionId;
    const { status, json } = await partner.post(`/webhooks/${otherId}${path}`);
    expect([status, json.code]).toEqual([404, 'delivery_not_found']);
    await partner.delete(`/webhooks/${otherId}`);
  });
});

describe('POST /webhooks/{id}/recover', () => {
  it('sends everything again that failed for good since then, and nothing older', async () => {
    // The events of this are not sent.
    await database.query(
      `UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()
       WHERE subscription_id = $1`,
      [id],
    );
    await publish(2);
    await exhaust();
    await service.travel(600_000);
    const since = service.now().toISOString();
    await publish(3);
    await exhaust();
    await partner.post(`/webhooks/${id}/enable`);
    const answer = await partner.post(`/webhooks/${id}/recover`, { since });
    expect(answer).toMatchObject({
      status: 200,
      json: { data: { recovered: 3, hasMore: false } },
    });
    await receiver.waitForCount(3);
    await eventually(async () => {
      expect((await deliveries('?status=SUCCEEDED')).deliveries).toHaveLength(3);
    });
    expect((await deliveries('?status=EXHAUSTED')).deliveries).toHaveLength(2);
    const again = await partner.post(`/webhooks/${id}/recover`, { since: ` ${since} ` });
    expect(again.json.data).toEqual({ recovered: 0, hasMore: false });
  });
});

it.each(['enable', 'test', 'recover'])(
  'POST /webhooks/{id}/%s answers 404 for a subscription that is not there, whatever the body',
  async (call) => {
    const { status, json } = await partner.post(`/webhooks/${UNKNOWN}/${call}`, 'not json');
    expect([status, json.code]).toEqual([404, 'subscription_not_found']);
  },
);
