// Isolated: what is sent in the whole service is counted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryBench } from './delivery-bench.js';
import { PARTNER, someEvent } from './some-event.js';

let bench: DeliveryBench;

beforeAll(async () => {
  bench = await DeliveryBench.open();
});

beforeEach(() => bench.reset());

afterAll(() => bench.close());

describe('publishing an event', () => {
  it('stores its body once, field by field in the order that decisions §9 shows', async () => {
    // What a caller's object holds besides stays here.
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
        '"apiVersion":"v1","sequence":4,"journeyId":"jrn_1","applicationId":"app_1",' +
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

  it('wakes the sender after the commit', async () => {
    await bench.subscribe();
    let raised = 0;
    bench.wakeUp.listen(() => {
      raised += 1;
    });
    await bench.database.transaction(async (tx) => {
      await bench.publisher.publish(tx, someEvent());
      expect(raised).toBe(0);
    });
    expect(raised).toBe(1);
  });

  it('leaves nothing behind when the transaction of the change fails', async () => {
    await bench.subscribe();
    const failing = bench.database.transaction(async (tx) => {
      await bench.publisher.publish(tx, someEvent());
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await bench.deliveries()).toEqual([]);
    expect(await bench.database.query('SELECT 1 FROM webhook_events')).toEqual([]);
  });

  it('refuses a second event of the same sequence number', async () => {
    const event = someEvent();
    await bench.publish(event);
    await expect(bench.publish(event)).rejects.toThrow('webhook_events_by_journey');
  });
});
