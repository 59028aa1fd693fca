// Isolated: services are stopped and killed while they work.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { DeliverySender } from '../../../src/webhooks/sender/delivery-sender.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { act, driveTo, journeyIn, startJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService } from '../../support/service.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from '../webhooks/some-event.js';

// Each of these starts a process or two.
vi.setConfig({ testTimeout: 60_000 });

describe('a process that is told to stop', () => {
  let database: TestDatabase;
  let records: JourneyRecords;
  let service: SpawnedService;
  let partner: PartnerClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    records = new JourneyRecords(database.url);
  });

  beforeEach(async () => {
    service = await spawnService({ databaseUrl: database.url });
    partner = partnerClient(service);
  });

  afterEach(() => service?.kill());

  afterAll(async () => {
    await records?.close();
    await database?.drop();
  });

  function addressOf({ baseUrl }: SpawnedService) {
    const { hostname, port } = new URL(baseUrl);
    return { hostname, port };
  }

  /** SIGTERM, without waiting for the end; answers the exit code and how long it took. */
  function stopping(): Promise<{ code: number | null; ms: number }> {
    const startedAt = performance.now();
    return service.stop().then((code) => ({ code, ms: performance.now() - startedAt }));
  }

  it('answers the request that is in flight, and ends with 0', async () => {
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    const lock = await HeldLock.take(
      database.url,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const answer = act(partner, journey, 'SELECT_OFFER');
    await lock.waiting('journey_redirects');
    const ended = stopping();
    let isOver = false;
    void ended.then(() => (isOver = true));
    await sleep(1_500);
    expect(isOver).toBe(false);
    await lock.release();
    const { status, json } = await answer;
    expect([status, json.data.nextAction.type]).toEqual([200, 'REDIRECT_TO_KYC']);
    expect((await ended).code).toBe(0);
    expect(await records.state(journey.id)).toBe('KYC_PENDING');
    expect(await records.intents(journey.id)).toMatchObject([{ status: 'COMPLETED' }]);
    expect(service.output()).not.toMatch(/"level":[56]0/);
  });

  it('does not wait for connections on which nothing is asked', async () => {
    const agent = new Agent({ keepAlive: true, keepAliveMsecs: 60_000 });
    const asked = request({ agent, ...addressOf(service), path: '/health/live' }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    const { socket } = response;
    await once(response.resume(), 'end');
    const startedAt = performance.now();
    const closedAfter = once(socket, 'close').then(() => performance.now() - startedAt);
    const { code } = await stopping();
    agent.destroy();
    expect(code).toBe(0);
    // The grace of those who have something to say would be 5 s.
    expect(await closedAfter).toBeLessThan(4_000);
  });

  it('finishes the webhook that is in flight, which nobody then posts again', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      await partner.post('/webhooks', { url: receiver.url() });
      receiver.answerNext({ status: 200, delayMs: 2_000 });
      const journey = await startJourney(partner, { channel: 'API_HOSTED' });
      await receiver.waitForEvent('journey.initiated');
      const { code, ms } = await stopping();
      expect(code).toBe(0);
      // It was still in flight when the process was told to stop.
      expect(ms).toBeGreaterThan(1_000);
      const rows = await records.query(
        `SELECT d.status, d.attempts, a.response_status FROM webhook_deliveries d
         JOIN webhook_events e ON e.id = d.event_id
         LEFT JOIN webhook_attempts a ON a.delivery_id = d.id WHERE e.journey_id = $1`,
        [journey.id],
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1, response_status: 200 }]);
      expect(receiver.deliveries).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });

  it('leaves nothing leased, so the next process goes on at once', async () => {
    const journeys = await Promise.all(Array.from({ length: 12 }, () => startJourney(partner)));
    expect((await stopping()).code).toBe(0);
    const ids = journeys.map(({ id }) => id);
    const leased = await records.query(
      `SELECT kind FROM lender_questions
       WHERE subject_id = ANY ($1) AND status = 'OPEN' AND lease_until > app_now()`,
      [ids],
    );
    expect(leased).toEqual([]);
    service = await spawnService({ databaseUrl: database.url });
    partner = partnerClient(service);
    for (const journey of journeys) await driveTo(partner, journey, 'OFFERS_RECEIVED');
    for (const id of ids) {
      expect(await records.trail(id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
      expect(await records.offers(id)).toBe(3);
    }
  });
});

describe('a sender', () => {
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
});
