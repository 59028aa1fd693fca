// Isolated: processes are stopped while they work.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { HeldConnection } from '../../support/held-connection.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  act,
  driveTo,
  journeyIn,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { signedHead } from '../connections/signed-head.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const LOCK = 'LOCK TABLE journey_redirects IN EXCLUSIVE MODE';
const WHOLE = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
const HALF = 'GET /health/live HTTP/1.1\r\nHos';
const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
const MAX_MS = 15_000;
/** A second signal counts only a second after the first. */
const SECOND_SIGNAL_MS = 1_100;

let database: TestDatabase;
let records: JourneyRecords;
let receiver: WebhookReceiver;
let operatorUrl: string;
let service: SpawnedService;
let partner: PartnerClient;
let leasing: StartedJourney[];
const held: HeldConnection[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  records = new JourneyRecords(database.url);
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  for (const connection of held) connection.hangUp();
  await service?.kill();
  await receiver?.stop();
  await records?.close();
  await database?.drop();
});

async function start(): Promise<void> {
  const port = await freePort();
  operatorUrl = `http://127.0.0.1:${port}`;
  const env = { OPERATOR_PORT: String(port) };
  service = await spawnService({ databaseUrl: database.url, env });
  partner = partnerClient(service);
}

async function hold(bytes = '', url = service.baseUrl): Promise<HeldConnection> {
  const connection = await HeldConnection.open(url, bytes);
  held.push(connection);
  return connection;
}

async function holdOfEachKind(): Promise<void> {
  await hold();
  await hold(HALF);
  await hold(HALF, operatorUrl);
  await hold(`${signedHead('POST', INITIATE, { length: 1_000 })}{"half":`);
  await hold('POST /hosted/link HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nmobile=');
  await (await hold(WHOLE)).answered(1);
  const deaf = (await hold()).readNothing();
  deaf.write('GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(6));
}

async function untilItRefuses(): Promise<void> {
  await eventually(() =>
    partner.get('/products').then(
      () => false,
      () => true,
    ),
  );
}

async function actionInFlight(journey: StartedJourney) {
  const lock = await HeldLock.take(database.url, LOCK);
  const answer = act(partner, journey, 'SELECT_OFFER');
  await lock.waiting('journey_redirects');
  return { lock, answer };
}

describe('a process that gets SIGTERM', () => {
  it('answers what is in flight, waits for no held connection, posts no webhook twice, and ends with 0', async () => {
    await start();
    const acting = await journeyIn(partner, 'OFFERS_RECEIVED');
    await partner.post('/webhooks', { url: receiver.url() });
    for (let times = 0; times < 3; times += 1) await holdOfEachKind();
    const late = await hold(`${signedHead('POST', INITIATE, { length: 2 })}{`);
    const { lock, answer } = await actionInFlight(acting);
    // Blocked last, because a receiver has only five seconds.
    const webhook = Promise.withResolvers<void>();
    receiver.answerNext({ status: 200, after: webhook.promise });
    leasing = await Promise.all(Array.from({ length: 3 }, () => startJourney(partner)));
    const { journeyId: reported } = (await receiver.waitForEvent('journey.initiated')).json();

    const startedAt = performance.now();
    const ended = service.stop();
    await untilItRefuses();
    expect((await fetch(`${operatorUrl}/metrics`)).status).toBe(200);
    const ready = await fetch(`${operatorUrl}/health/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('shutting')]);
    late.write('}');
    expect(await late.answered(1)).toEqual([401]);
    await lock.release();
    webhook.resolve();
    const { status, json } = await answer;
    expect([status, json.data.nextAction.type]).toEqual([200, 'REDIRECT_TO_KYC']);
    expect(await ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
    expect(service.output()).not.toMatch(/"level":[56]0/);

    expect(await records.state(acting.id)).toBe('KYC_PENDING');
    expect(await records.intents(acting.id)).toMatchObject([{ status: 'COMPLETED' }]);
    const delivered = await records.query(
      `SELECT d.status, d.attempts FROM webhook_deliveries d
       JOIN webhook_events e ON e.id = d.event_id
       WHERE e.journey_id = $1 AND e.sequence = 1`,
      [reported],
    );
    expect(delivered).toEqual([{ status: 'SUCCEEDED', attempts: 1 }]);
  });

  it('leaves nothing leased, so the next process goes on at once', async () => {
    const leased = await records.query(
      `SELECT id::text FROM lender_questions WHERE status = 'OPEN' AND lease_until > app_now()
       UNION ALL SELECT subscription_id FROM webhook_lanes WHERE lease_until > app_now()`,
    );
    expect(leased).toEqual([]);
    await start();
    for (const journey of leasing) {
      await driveTo(partner, journey, 'OFFERS_RECEIVED');
      expect(await records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
      expect(await records.offers(journey.id)).toBe(3);
    }
    const posts = receiver.deliveries.map((one) => one.json().id);
    expect(new Set(posts).size).toBe(posts.length);
  });

  it('ends at once on a second signal, with 1, although a request is in flight', async () => {
    const { lock, answer } = await actionInFlight(leasing[0]);
    const cut = answer.catch(() => 'cut');
    const ended = service.stop();
    process.kill(service.pid, 'SIGTERM');
    // The second counts from when the process, perhaps late, handled the first signal.
    await untilItRefuses();
    await sleep(SECOND_SIGNAL_MS);
    const startedAt = performance.now();
    process.kill(service.pid, 'SIGTERM');
    expect(await ended).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await cut).toBe('cut');
    await lock.release();
  });
});
