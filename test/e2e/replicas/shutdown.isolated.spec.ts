// Isolated: services are stopped and killed while they work.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  act,
  driveTo,
  journeyIn,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService } from '../../support/service.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from '../webhooks/some-event.js';

// Each of these starts a process or two.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

describe('a process that is told to stop', () => {
  let database: TestDatabase;
  let records: JourneyRecords;
  let service: SpawnedService;
  let partner: PartnerClient;
  /** Whose lenders are being asked when it stops. */
  let leasing: StartedJourney[];

  beforeAll(async () => {
    database = await createTestDatabase();
    records = new JourneyRecords(database.url);
  });

  afterAll(async () => {
    await service?.kill();
    await records?.close();
    await database?.drop();
  });

  async function start(): Promise<void> {
    service = await spawnService({ databaseUrl: database.url });
    partner = partnerClient(service);
  }

  function addressOf({ baseUrl }: SpawnedService) {
    const { hostname, port } = new URL(baseUrl);
    return { hostname, port };
  }

  describe('while a request and a webhook are in flight', () => {
    const IN_FLIGHT_MS = 1_500;
    let receiver: WebhookReceiver;
    let acting: StartedJourney;
    let reported: StartedJourney;
    let stop: {
      readonly code: number | null;
      readonly idleClosedAfterMs: number;
      readonly wasOverEarly: boolean;
      readonly answer: Awaited<ReturnType<typeof act>>;
      readonly output: string;
    };

    beforeAll(async () => {
      await start();
      receiver = await WebhookReceiver.start();
      acting = await journeyIn(partner, 'OFFERS_RECEIVED');
      const lock = await HeldLock.take(
        database.url,
        'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
      );
      await partner.post('/webhooks', { url: receiver.url() });
      const webhook = Promise.withResolvers<void>();
      receiver.answerNext({ status: 200, after: webhook.promise });
      reported = await startJourney(partner, { channel: 'API_HOSTED' });
      await receiver.waitForEvent('journey.initiated');
      const idle = await idleConnection();
      const answer = act(partner, acting, 'SELECT_OFFER');
      await lock.waiting('journey_redirects');
      leasing = await Promise.all(Array.from({ length: 6 }, () => startJourney(partner)));

      const startedAt = performance.now();
      const closedAfter = idle.closed.then(() => performance.now() - startedAt);
      const ended = service.stop();
      let wasOverEarly = false;
      void ended.then(() => (wasOverEarly = true));
      await sleep(IN_FLIGHT_MS);
      const isOver = wasOverEarly;
      await lock.release();
      webhook.resolve();
      const answered = await answer;
      const code = await ended;
      const idleClosedAfterMs = await closedAfter;
      idle.agent.destroy();
      const output = service.output();
      stop = { code, idleClosedAfterMs, wasOverEarly: isOver, answer: answered, output };
    });

    afterAll(() => receiver?.stop());

    /** A connection on which a request was answered, and nothing more is asked. */
    async function idleConnection(): Promise<{ agent: Agent; closed: Promise<unknown> }> {
      const agent = new Agent({ keepAlive: true, keepAliveMsecs: 60_000 });
      const asked = request({ agent, ...addressOf(service), path: '/health/live' }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      const { socket } = response;
      await once(response.resume(), 'end');
      return { agent, closed: once(socket, 'close') };
    }

    it('answers the request that is in flight, and ends with 0', async () => {
      expect(stop.wasOverEarly).toBe(false);
      const { status, json } = stop.answer;
      expect([status, json.data.nextAction.type]).toEqual([200, 'REDIRECT_TO_KYC']);
      expect(stop.code).toBe(0);
      expect(await records.state(acting.id)).toBe('KYC_PENDING');
      expect(await records.intents(acting.id)).toMatchObject([{ status: 'COMPLETED' }]);
      expect(stop.output).not.toMatch(/"level":[56]0/);
    });

    it('does not wait for connections on which nothing is asked', () => {
      // The grace of those who have something to say would be 5 s.
      expect(stop.idleClosedAfterMs).toBeLessThan(4_000);
    });

    it('finishes the webhook that is in flight, which nobody then posts again', async () => {
      const rows = await records.query(
        `SELECT d.status, d.attempts, a.response_status FROM webhook_deliveries d
         JOIN webhook_events e ON e.id = d.event_id
         LEFT JOIN webhook_attempts a ON a.delivery_id = d.id WHERE e.journey_id = $1`,
        [reported.id],
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1, response_status: 200 }]);
      const posts = receiver.deliveries.filter((one) => one.json().journeyId === reported.id);
      expect(posts).toHaveLength(1);
    });
  });

  it('leaves nothing leased, so the next process goes on at once', async () => {
    const ids = leasing.map(({ id }) => id);
    const leased = await records.query(
      `SELECT kind FROM lender_questions
       WHERE subject_id = ANY ($1) AND status = 'OPEN' AND lease_until > app_now()`,
      [ids],
    );
    expect(leased).toEqual([]);
    await start();
    for (const journey of leasing) await driveTo(partner, journey, 'OFFERS_RECEIVED');
    for (const id of ids) {
      expect(await records.trail(id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
      expect(await records.offers(id)).toBe(3);
    }
  });
});

describe('a sender of a service that is stopped', () => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await WebhookReceiver.start();
  });

  afterAll(async () => {
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
