// Isolated: its PostgreSQL fails over to a standby.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { eventually } from '../../support/eventually.js';
import { driveTo, journeyIn, type StartedJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { run, Standby } from '../../support/standby.js';
import { expectLiveButNotReady, expectUnavailable, healthOf } from './unavailable.js';

const BACK_MS = 15_000;
const SETTINGS = ['fsync=off', 'wal_keep_size=256MB'];

describe('a failover to a standby', () => {
  const dataDir = scratchFolder('rinpath-failover-');
  const clusterDir = join(dataDir, 'postgres');
  let primary: RunningPostgres;
  let standby: Standby;
  let proxy: DatabaseProxy;
  let service: SpawnedService;
  let demo: PartnerClient;
  let journey: StartedJourney;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    primary = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    standby = await Standby.of(primary.url, clusterDir);
    proxy = await DatabaseProxy.before(primary.url);
    service = await spawnService({ databaseUrl: proxy.url });
    demo = partnerClient(service);
    journey = await journeyIn(demo, 'KYC_PENDING');
  }, 120_000);

  afterAll(async () => {
    await service?.stop().catch(() => undefined);
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
});
