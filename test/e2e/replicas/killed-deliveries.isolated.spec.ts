// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startJourney } from '../../support/journey-driver.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { KillableService, TEST_MS } from './killable-service.js';

const DELIVERY_LEASE_MS = 20_000;

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;

beforeEach(async () => {
  service = await KillableService.open();
});

afterEach(() => service.close());

describe('killed between a receiver’s 200 and its record', () => {
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });

  afterEach(() => receiver.stop());

  it('delivers again, with the same event id and the same bytes', async () => {
    const registered = await service.partner.post<{ subscriptionId: string }>('/webhooks', {
      url: receiver.url(),
    });
    const { subscriptionId } = registered.json.data;
    const held = Promise.withResolvers<void>();
    receiver.answerNext({ status: 200, after: held.promise });
    const journey = await startJourney(service.partner, { channel: 'API_HOSTED' });
    const first = await receiver.waitForEvent('journey.initiated');
    // The sender has claimed; what it wants to write down afterwards begins with this row.
    const lock = await service.hold(
      'SELECT 1 FROM webhook_lanes WHERE subscription_id = $1 FOR NO KEY UPDATE',
      [subscriptionId],
    );
    held.resolve();
    const [{ pid }] = await lock.waiting('SET failure_count');
    await service.kill();
    // The record is one statement, which the server would finish without its client.
    await lock.query('SELECT pg_terminate_backend($1)', [pid]);
    await lock.release();
    await service.records.untilNobodyIsConnected();
    const unrecorded = await service.records.query(
      'SELECT status, attempts FROM webhook_deliveries WHERE subscription_id = $1',
      [subscriptionId],
    );
    expect(unrecorded).toEqual([{ status: 'PENDING', attempts: 0 }]);

    await service.start();
    // A look or two of the new sender, which leaves what is leased alone.
    await sleep(1_500);
    expect(receiver.deliveries).toHaveLength(1);
    await service.travel(DELIVERY_LEASE_MS);
    const [, second] = await receiver.waitForCount(2, 10_000);
    expect(eventIdOf(second)).toBe(eventIdOf(first));
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-rinpath-signature']).toBe(first.headers['x-rinpath-signature']);
    expect(second.json().journeyId).toBe(journey.id);
    await eventually(async () => {
      const rows = await service.records.query(
        'SELECT status, attempts FROM webhook_deliveries WHERE subscription_id = $1',
        [subscriptionId],
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1 }]);
    });
    expect(receiver.deliveries).toHaveLength(2);
  });
});

function eventIdOf(delivery: Delivery): unknown {
  return delivery.headers['x-rinpath-event-id'];
}
