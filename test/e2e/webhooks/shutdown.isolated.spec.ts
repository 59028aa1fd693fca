// Isolated: services are stopped and killed while they send.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { DeliverySender } from '../../../src/webhooks/sender/delivery-sender.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService } from '../../support/service.js';
import { spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

let database: TestDatabase;
let receiver: WebhookReceiver;

beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  await receiver.stop();
  await database.drop();
});

async function statuses(): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM webhook_deliveries GROUP BY status',
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  } finally {
    await client.end();
  }
}

describe('a service that is stopped', () => {
  it('waits for what is in flight, records it, and leaves the rest to the next one', async () => {
    const service = await startService({ databaseUrl: database.url });
    await partnerClient(service).post('/webhooks', { url: receiver.url() });
    const publisher = service.get<EventPublisher>(EventPublisher);
    const publish = (count: number) =>
      service.get<Database>(Database).transaction(async (tx) => {
        for (let event = 0; event < count; event += 1) {
          await publisher.publish(tx, someEvent({ partnerId: 'demo' }));
        }
      });
    // Five at a time go to one that has succeeded.
    await publish(1);
    await eventually(async () => expect(await statuses()).toEqual({ SUCCEEDED: 1 }));
    receiver.reset();
    receiver.answerAlways({ status: 200, delayMs: 700 });
    await publish(8);
    await receiver.waitForCount(5);
    await service.close();
    expect(receiver.deliveries).toHaveLength(5);
    expect(await statuses()).toEqual({ SUCCEEDED: 6, PENDING: 3 });

    const next = await startService({ databaseUrl: database.url });
    await receiver.waitForCount(8);
    await next.close();
    expect(await statuses()).toEqual({ SUCCEEDED: 9 });
    expect(new Set(receiver.deliveries.map((one) => one.json().id)).size).toBe(8);
  });
});

describe('a service that is killed while a delivery is in flight', () => {
  it('loses nothing: the next one sends the same event once the lease has run out', async () => {
    receiver.answerNext({ status: 200, delayMs: 4_000 });
    const doomed = await spawnService({ databaseUrl: database.url });
    await partnerClient(doomed).post('/webhooks', { url: receiver.url() });
    const next = await startService({ databaseUrl: database.url });
    // Published by hand on the database, so that the doomed one's own poll finds it.
    await next.get<DeliverySender>(DeliverySender).stop();
    const publisher = next.get<EventPublisher>(EventPublisher);
    await next
      .get<Database>(Database)
      .transaction((tx) => publisher.publish(tx, someEvent({ partnerId: 'demo' })));
    const [first] = await receiver.waitForCount(1);
    await doomed.kill();
    await next.close();
    expect(await statuses()).toEqual({ PENDING: 1 });

    const heir = await startService({ databaseUrl: database.url });
    await heir.travel(21_000);
    const [, second] = await receiver.waitForCount(2);
    expect(second.body).toEqual(first.body);
    expect(second.headers['x-rinpath-event-id']).toBe(first.headers['x-rinpath-event-id']);
    await heir.close();
    expect(await statuses()).toEqual({ SUCCEEDED: 1 });
  });
});
