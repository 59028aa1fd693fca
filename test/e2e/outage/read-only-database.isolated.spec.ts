// Isolated: its database takes no writes.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { driveTo, journeyIn, type StartedJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { expectLiveButNotReady, expectUnavailable, healthOf } from './unavailable.js';

const BACK_MS = 15_000;

let database: TestDatabase;
let service: SpawnedService;
let demo: PartnerClient;
let receiver: WebhookReceiver;
let journey: StartedJourney;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await spawnService({ databaseUrl: database.url });
  demo = partnerClient(service);
  receiver = await WebhookReceiver.start();
  await demo.post('/webhooks', { url: receiver.url() });
  journey = await journeyIn(demo, 'KYC_PENDING');
});

afterAll(async () => {
  await service?.stop().catch(() => undefined);
  await receiver?.stop();
  await database?.drop();
});

/** For the sessions that begin from now on, as on a server that was made read-only. */
async function allowWrites(isAllowed: boolean): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const name = new URL(database.url).pathname.slice(1);
  await client.query('SET default_transaction_read_only = off');
  await client.query(
    `ALTER DATABASE ${name} SET default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`,
  );
  await client.end();
}

async function endSessions(): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await client.end();
}

describe('while the database takes no writes', () => {
  beforeAll(async () => {
    await allowWrites(false);
    await endSessions();
  });

  it('every call answers 503 in the envelope, with Retry-After', async () => {
    await expectUnavailable(demo);
    await Promise.all(Array.from({ length: 20 }, () => expectUnavailable(demo)));
    expect((await demo.initiate(loanRequest())).status).toBe(503);
    expect((await demo.journey(journey.id, journey.session)).status).toBe(503);
    expect((await demo.post('/webhooks', { url: receiver.url('/other') })).status).toBe(503);
  });

  it('the process lives, and is not ready', async () => {
    await expectLiveButNotReady(service);
  });

  it('the background work goes on trying, and the log says once what is wrong', async () => {
    await sleep(6_000);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const told = lines.filter((line) => line.includes('The database takes no writes'));
    const others = lines.filter((line) => !told.includes(line) && !line.includes('is away'));
    expect(others.map((line) => line.slice(0, 200))).toEqual([]);
    expect(told.length).toBeGreaterThanOrEqual(1);
    expect(told.length).toBeLessThanOrEqual(2);
  });
});

describe('once it takes writes again', () => {
  it('everything goes on by itself, on sessions that the service renewed', async () => {
    await allowWrites(true);
    await eventually(async () => expect((await healthOf(service, 'ready')).status).toBe(200), {
      withinMs: BACK_MS,
    });
    await driveTo(demo, journey, 'SANCTIONED');
    await receiver.waitForEvent('journey.completed', BACK_MS);
    const sequences = receiver.deliveries
      .map((delivery) => delivery.json())
      .filter(({ journeyId }) => journeyId === journey.id)
      .map(({ sequence }) => sequence);
    expect(new Set(sequences)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    await eventually(() => expect(service.output()).toContain('database is back'));
  });
});
