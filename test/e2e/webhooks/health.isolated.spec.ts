// Isolated: counts what the whole service sends.
import { beforeEach, describe, expect, it } from 'vitest';
import { DeliveryBench, REFUSAL, SUCCESS } from './delivery-bench.js';
import { PARTNER, someEvent } from './some-event.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => DeliveryBench.open());

beforeEach(() => bench.reset());

describe('publishing an event', () => {
  it('stores its body once, field by field in the order that decisions §9 shows', async () => {
    // Other fields of a caller's object are not stored.
    const extra = { pan: 'ABCDE1234F' };
    const nextAction = { type: 'REDIRECT', category: 'REDIRECT', url: 'https://a.example/r/1' };
    await bench.publish(
      someEvent({
        journeyId: 'jrn_1',
        name: 'journey.kyc_done',
        sequence: 4,
        data: { ...extra, ...someEvent().data, nextAction },
      }),
    );
    const [row] = await bench.database.query<{ id: string; body: string }>(
      'SELECT id, body FROM webhook_events',
    );
    expect(row.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(row.body).toBe(
      `{"id":"${row.id}","event":"journey.kyc_done","createdAt":"2026-01-01T00:00:00.000Z",` +
        '"apiVersion":"v1","sequence":4,"journeyId":"jrn_1","applicationId":"app_11111111111111111111111111111111",' +
        '"data":{"productCode":"ONLINE_PERSONAL","channel":"API_HEADLESS","state":"INITIATED",' +
        '"nextAction":{"type":"REDIRECT","category":"REDIRECT"},' +
        '"outcome":"IN_PROGRESS"}}',
    );
  });

  it('makes a delivery for each subscription that wants it, and for no other', async () => {
    const all = await bench.subscribe();
    const named = await bench.subscribe({ events: ['journey.rejected', 'journey.initiated'] });
    await bench.subscribe({ events: ['journey.rejected'] });
    await bench.subscribe({ partnerId: 'other' });
    const deleted = await bench.subscribe();
    await bench.database.transaction((tx) => bench.subscriptions.delete(tx, PARTNER, deleted));
    const paused = await bench.subscribe({ isActive: false });
    await bench.publish(someEvent());
    const deliveries = await bench.deliveries();
    const statuses = Object.fromEntries(
      deliveries.map(({ subscriptionId, status }) => [subscriptionId, status]),
    );
    expect(statuses).toEqual({ [all]: 'PENDING', [named]: 'PENDING', [paused]: 'PAUSED' });
  });

  it('refuses a second event of the same sequence number', async () => {
    const event = someEvent();
    await bench.publish(event);
    await expect(bench.publish(event)).rejects.toThrow('webhook_events_by_journey');
  });
});

const DAY_MS = 86_400_000;

async function oneClaim() {
  const [claim] = await bench.claims.claim();
  if (!claim) throw new Error('nothing is due');
  return claim;
}

/** Makes `times` attempts of one delivery, each of which fails at once. Waits for no probe. */
async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await bench.finish(await oneClaim(), REFUSAL, 0);
    await bench.database.query(
      'UPDATE webhook_lanes SET probe_at = app_now() WHERE probe_at IS NOT NULL',
    );
  }
}

describe('an attempt that failed', () => {
  it('exhausts the delivery when it was the last', async () => {
    await bench.subscribe();
    await bench.publish(someEvent());
    const claim = await oneClaim();
    await bench.finish(claim, REFUSAL, null);
    expect(await bench.delivery(claim.deliveryId)).toMatchObject({
      status: 'EXHAUSTED',
      finishedAt: expect.any(Date) as Date,
    });
  });

  it('has the subscription go inactive after twenty in a row and three days', async () => {
    const subscription = await bench.subscribe();
    await bench.publish(someEvent());
    await fail(1);
    await bench.travel(3 * DAY_MS - 60_000);
    await fail(20);
    expect(await bench.lane(subscription)).toMatchObject({
      isActive: true,
      failureCount: 21,
    });
    await bench.travel(120_000);
    await fail(1);
    expect(await bench.lane(subscription)).toMatchObject({ isActive: false });
  });
});

describe('the breaker', () => {
  it('opens after five failures in a row, and lets one delivery at a time try, ever less often, on all replicas', async () => {
    const replica = await bench.replica();
    const failAll = async () => {
      const failed = [bench, replica].map(async (one) => {
        const claims = await one.claims.claim();
        await Promise.all(claims.map((claim) => one.finish(claim, REFUSAL)));
        return claims.length;
      });
      const [here, there] = await Promise.all(failed);
      return here + there;
    };
    const subscription = await bench.subscribe();
    await bench.publishMany(40);
    expect(await failAll()).toBe(5);
    expect(await bench.lane(subscription)).toMatchObject({
      failureCount: 5,
      probeWaitSeconds: 30,
    });
    expect(await failAll()).toBe(0);
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      expect((await bench.lane(subscription)).probeWaitSeconds).toBe(seconds);
      await bench.travel(seconds * 1_000 - 2_000);
      expect(await failAll()).toBe(0);
      await bench.travel(2_100);
      expect(await failAll()).toBe(1);
    }
    // Behind the open breaker, deliveries use no attempts.
    const attempts = (await bench.deliveries()).map((delivery) => delivery.attempts);
    expect(attempts.filter((count) => count === 0).length).toBeGreaterThanOrEqual(28);
    await replica.close();
  });

  it('closes on a success, and what waits goes out at once, retries included', async () => {
    const { id: subscription, probe } = await bench.broken(3);
    await bench.finish(probe, SUCCESS);
    expect(await bench.lane(subscription)).toMatchObject({
      failureCount: 0,
      probeAt: null,
      probeWaitSeconds: null,
      drainSince: null,
    });
    let sent = 1;
    const claims = await bench.claims.claim();
    for (let claim = claims.pop(); claim; claim = claims.pop() ?? bench.claims.next(claim)) {
      await bench.finish(claim, SUCCESS);
      sent += 1;
    }
    expect(sent).toBe(8);
  });
});
