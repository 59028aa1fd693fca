import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { eventually } from '../../support/eventually.js';
import {
  driveTo,
  journeyIn,
  readJourney,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { run, Standby } from '../../support/standby.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { expectLiveButNotReady, expectUnavailable, healthOf } from './unavailable.js';

const BACK_MS = 15_000;
const SETTINGS = ['fsync=off', 'wal_keep_size=256MB'];

describe('a failover to a standby', () => {
  const dataDir = scratchFolder('rinpath-failover-');
  const clusterDir = join(dataDir, 'postgres');
  const answered: StartedJourney[] = [];
  let primary: RunningPostgres;
  let standby: Standby;
  let proxy: DatabaseProxy;
  let service: SpawnedService;
  let demo: PartnerClient;
  let receiver: WebhookReceiver;
  let journey: StartedJourney;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    primary = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    standby = await Standby.of(primary.url, clusterDir);
    proxy = await DatabaseProxy.before(primary.url);
    service = await spawnService({ databaseUrl: proxy.url });
    demo = partnerClient(service);
    receiver = await WebhookReceiver.start();
    await demo.post('/webhooks', { url: receiver.url() });
    journey = await journeyIn(demo, 'KYC_PENDING');
  }, 120_000);

  afterAll(async () => {
    await service?.stop().catch(() => undefined);
    await receiver?.stop();
    await proxy?.cut();
    await standby?.stop();
    await primary?.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  async function untilReady(): Promise<void> {
    await eventually(async () => expect((await healthOf(service, 'ready')).status).toBe(200), {
      withinMs: BACK_MS,
    });
  }

  function linesOf(message: string): number {
    return service.output().split(message).length - 1;
  }

  it('a primary that is set to refuse writes, and to take them again, is no more than a pause', async () => {
    await run(primary.url, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await run(primary.url, 'SELECT pg_reload_conf()');
    await eventually(() => expectUnavailable(demo));
    await expectLiveButNotReady(service);
    await run(
      `${primary.url}?options=-cdefault_transaction_read_only%3Doff`,
      'ALTER SYSTEM RESET default_transaction_read_only',
    );
    await run(primary.url, 'SELECT pg_reload_conf()');
    await untilReady();
    await driveTo(demo, journey, 'BANK_ACCOUNT_PENDING');
    expect(linesOf('The database takes no writes')).toBe(1);
    await eventually(() => expect(linesOf('The database is back')).toBe(1));
  });

  it('while the address leads to the standby, calls answer 503 and it is not ready', async () => {
    await proxy.cut();
    await proxy.restore(standby.url);
    await expectUnavailable(demo);
    expect((await demo.initiate(loanRequest())).status).toBe(503);
    expect((await demo.journey(journey.id, journey.session)).status).toBe(503);
    await expectLiveButNotReady(service);
  });

  it('a journey goes on when the address leads to the primary again', async () => {
    // What was connected to the standby stays so, until the service gives it up.
    await proxy.restore(primary.url);
    await untilReady();
    await driveTo(demo, journey, 'MANDATE_PENDING');
    expect(linesOf('The database takes no writes')).toBe(1);
  });

  it('every call of a primary that is killed is answered, 200 or 503', async () => {
    const work = { isOver: false };
    const statuses = new Set<number>();
    const caller = async () => {
      while (!work.isOver) {
        const { status, json } = await demo.initiate(loanRequest());
        statuses.add(status);
        if (status !== 200) continue;
        answered.push({ id: json.data.journeyId, session: json.data.journeySession });
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    await eventually(() => answered.length >= 8);
    const pid = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await sleep(300);
    await proxy.cut();
    await proxy.restore(standby.url);
    await sleep(500);
    work.isOver = true;
    await Promise.all(callers);
    expect(statuses).toEqual(new Set([200, 503]));
    await expectUnavailable(demo);
    await expectLiveButNotReady(service);
  });

  it('and once the standby is promoted, all that was answered is there and goes on', async () => {
    await standby.promote();
    await untilReady();
    for (const one of answered) {
      expect((await readJourney(demo, one)).journeyId).toBe(one.id);
    }
    await driveTo(demo, journey, 'SANCTIONED');
    const sequences = () =>
      receiver.deliveries
        .map((delivery) => delivery.json())
        .filter(({ journeyId }) => journeyId === journey.id)
        .map(({ sequence }) => sequence);
    // A lane on which something was being sent at that moment is taken again after its lease.
    await eventually(() => expect(new Set(sequences())).toEqual(new Set([1, 2, 3, 4, 5, 6, 7])), {
      withinMs: 60_000,
    });
    // A question that was being asked at that moment is asked again when its lease has run out.
    for (const one of answered) {
      await eventually(
        async () => expect((await readJourney(demo, one)).state).toBe('OFFERS_RECEIVED'),
        { withinMs: 60_000 },
      );
    }
  }, 180_000);
});
