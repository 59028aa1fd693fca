// Isolated: the connections of its processes end.
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { Database, isConnectionLost } from '../../../src/platform/index.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { DyingServer } from '../../support/dying-server.js';
import { eventually } from '../../support/eventually.js';
import { driveTo, journeyIn, type StartedJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { inForm } from '../../support/long-form.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { run } from '../../support/standby.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import {
  BACK_MS,
  expectLiveButNotReady,
  expectRefused,
  expectUnavailable,
  sequencesOf,
  untilReady,
} from './unavailable.js';
import { ofFile } from '../../support/of-file.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: SpawnedService;
let demo: PartnerClient;

// Each step starts from the state that the step before left.
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.before(database.url);
  service = await spawnService({ databaseUrl: proxy.url, env: { DATABASE_POOL: '4' } });
  demo = partnerClient(service);
});

afterAll(async () => {
  await service?.stop().catch(() => undefined);
  await proxy?.cut();
  await database?.drop();
});

/** As PostgreSQL does when it stops: connections end with an error message, and new ones are refused. */
async function stopDatabase(): Promise<void> {
  await run(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await proxy.cut();
}

function logged(): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.includes('"context":"FaultFilter"'))
    .map((line) => line.slice(line.indexOf('"err"'), line.indexOf('"err"') + 300));
}

describe('while PostgreSQL is stopped', () => {
  const receiver = ofFile(() => WebhookReceiver.start());
  let journey: StartedJourney;

  beforeAll(async () => {
    await demo.post('/webhooks', { url: receiver.url() });
    journey = await journeyIn(demo, 'KYC_PENDING');
    await receiver.waitForEvent('journey.offer_selected');
    await stopDatabase();
  });

  it('every call answers 503 in the envelope, with Retry-After, and none hangs', async () => {
    await expectUnavailable(demo);
    await Promise.all(Array.from({ length: 20 }, () => expectUnavailable(demo)));
    await expectRefused(demo, journey);
  });

  it('the process lives and is not ready, and logs once that it is away, and no statement', async () => {
    await expectLiveButNotReady(service);
    const before = service.output().length;
    await sleep(inForm({ short: 1_500, long: 6_000 }));
    // Background work keeps trying, and does not flood the log.
    expect(service.output().slice(before, before + 500)).toBe('');
    const times = service.output().split('database is unavailable').length - 1;
    expect([1, 2, 3]).toContain(times);
    expect(service.output()).not.toContain('SELECT');
  });

  it('once it is back everything goes on automatically, the journey in progress, too', async () => {
    await proxy.restore();
    await untilReady(service);
    await driveTo(demo, journey, 'SANCTIONED');
    const completed = await receiver.waitForEvent('journey.completed', BACK_MS);
    expect(completed.json().journeyId).toBe(journey.id);
    // A line about the outage may still come after the last one.
    await eventually(() => expect(sequencesOf(receiver, journey.id).size).toBe(7), {
      withinMs: BACK_MS,
    });
    expect((await demo.initiate(loanRequest())).status).toBe(200);
    expect(service.output()).toContain('database is available again');
  });
});

describe('when the connections are cut again and again', () => {
  it('under load, every call is answered, 200 or 503, and no connection of the pool is lost', async () => {
    const work = { isOver: false };
    const statuses = new Set<number>();
    const caller = async () => {
      while (!work.isOver) {
        const { status } = await demo.initiate(loanRequest());
        statuses.add(status);
      }
    };
    const callers = Array.from({ length: 6 }, caller);
    for (let round = 0; round < inForm({ short: 2, long: 5 }); round += 1) {
      await sleep(300);
      await proxy.cut();
      await sleep(200);
      await proxy.restore();
    }
    await sleep(300);
    work.isOver = true;
    await Promise.all(callers);
    expect([statuses, logged()]).toEqual([new Set([200, 503]), []]);
    // More than the pool has connections, so a leaked connection would show.
    const more = Array.from({ length: 12 }, () => demo.initiate(loanRequest()));
    const answers = await Promise.all(more);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('and when the network swallows every byte, calls answer 503 and come back afterwards', async () => {
    proxy.fallSilent();
    await expectUnavailable(demo, 12_000);
    await expectLiveButNotReady(service);
    proxy.speakAgain();
    const isBack = async () => expect((await demo.initiate(loanRequest())).status).toBe(200);
    await eventually(isBack, { withinMs: BACK_MS });
  });
});

// An error on a connection without a listener is an uncaught exception: it would end the process, and fails the run
// here.
describe('a connection whose server ends does not end the process', () => {
  let server: DyingServer;
  let dataSource: DataSource;
  let pooled: Database;

  beforeEach(async () => {
    server = await DyingServer.before(database.url);
    const { url } = server;
    const options = dataSourceOptions({ url, poolSize: 1, entities: [], migrations: [] });
    dataSource = await new DataSource(options).initialize();
    pooled = new Database(dataSource);
  });

  afterEach(async () => {
    await pooled.onApplicationShutdown();
    await dataSource.destroy();
    await server.stop();
  });

  async function expectItGoesOn(): Promise<void> {
    expect(await pooled.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  }

  it('while it passes from a statement to a transaction that waits for it', async () => {
    server.endWithAnswer(1);
    const statement = pooled.query('SELECT 1 AS one');
    const transaction = pooled.transaction((tx) => tx.query('SELECT 1 AS one'));
    const failure = transaction.catch((error: unknown) => error);
    expect(await statement).toEqual([{ one: 1 }]);
    expect(isConnectionLost(await failure)).toBe(true);
    await expectItGoesOn();
  });

  // The first response on a connection is to its start, the second to the check of it.
  it.each([
    ['started', 1],
    ['looked at', 2],
  ])('while a new one is %s', async (_, answers) => {
    server.endWithAnswer(answers);
    const failure = await pooled.queryReserved('SELECT 1').catch((error: unknown) => error);
    expect(isConnectionLost(failure)).toBe(true);
    await expectItGoesOn();
  });
});
