// Isolated: services are stopped while they work.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldLock } from '../../support/held-lock.js';
import { act, driveTo, journeyIn, startJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

// Each of these starts a process or two.
vi.setConfig({ testTimeout: 60_000 });

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

describe('a process that is told to stop', () => {
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
