// Isolated: reads go to a standby of its own.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { eventually } from '../../support/eventually.js';
import { startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { startService, type OwnService } from '../../support/service.js';
import { run, Standby } from '../../support/standby.js';

const SETTINGS = ['fsync=off', 'wal_keep_size=256MB', 'dynamic_shared_memory_type=mmap'];
const LEADS = 'SELECT count(*)::int AS leads FROM applications';

// Each step takes up the servers as the one before left them.
describe('lists, where a standby may answer them', () => {
  const dataDir = scratchFolder('rinpath-lists-');
  const clusterDir = join(dataDir, 'postgres');
  let primary: RunningPostgres;
  let standby: Standby;
  let address: DatabaseProxy;
  let service: OwnService;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    primary = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    standby = await Standby.of(primary.url, clusterDir);
    address = await DatabaseProxy.before(standby.url);
    service = await serviceOn(primary.url, address.url);
  }, 120_000);

  afterAll(async () => {
    await service?.close();
    await address?.cut();
    await standby?.stop();
    await primary?.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  function serviceOn(databaseUrl: string, readUrl: string): Promise<OwnService> {
    return startService({ databaseUrl, environment: { DATABASE_READ_URL: readUrl } });
  }

  /** How many lists each server has answered so far. */
  async function answeredBy(server: 'primary' | 'standby'): Promise<number> {
    const metric = service.get(Metrics).registry.getSingleMetric('database_list_reads_total');
    const { values } = (await metric!.get()) as Awaited<
      ReturnType<NonNullable<typeof metric>['get']>
    >;
    return values.find(({ labels }) => labels.server === server)?.value ?? 0;
  }

  async function total(): Promise<number> {
    const { status, json } = await partnerClient(service).get('/leads');
    expect(status).toBe(200);
    return json.data.total as number;
  }

  async function leadsOf(url: string): Promise<number> {
    return (await run(url, LEADS))[0].leads as number;
  }

  /** How many leads the list has more, once there is one more. */
  async function seenOfOneMore(): Promise<number> {
    const before = await leadsOf(primary.url);
    await startJourney(partnerClient(service));
    return (await total()) - before;
  }

  async function untilTheStandbyAnswers(): Promise<void> {
    const before = await answeredBy('standby');
    await eventually(
      async () => {
        await total();
        expect(await answeredBy('standby')).toBeGreaterThan(before);
      },
      { withinMs: 15_000 },
    );
  }

  it('come from the standby, with what was written a moment before', async () => {
    await untilTheStandbyAnswers();
    for (let turn = 0; turn < 5; turn += 1) expect(await seenOfOneMore()).toBe(1);
  });

  it('come from the primary while the standby replays nothing', async () => {
    await run(standby.url, 'SELECT pg_wal_replay_pause()');
    await eventually(async () => {
      const [{ state }] = await run(standby.url, 'SELECT pg_get_wal_replay_pause_state() AS state');
      expect(state).toBe('paused');
    });
    const byPrimary = await answeredBy('primary');
    expect(await seenOfOneMore()).toBe(1);
    expect(await answeredBy('primary')).toBeGreaterThan(byPrimary);
    // It has not seen it, so it cannot have been asked.
    expect(await leadsOf(standby.url)).toBeLessThan(await leadsOf(primary.url));
    await run(standby.url, 'SELECT pg_wal_replay_resume()');
    await untilTheStandbyAnswers();
  });

  it('come from the primary where the address leads to no standby', async () => {
    await address.cut();
    await address.restore(primary.url);
    const byStandby = await answeredBy('standby');
    await total();
    expect(await seenOfOneMore()).toBe(1);
    expect(await answeredBy('standby')).toBe(byStandby);
    await address.cut();
    await address.restore(standby.url);
    await untilTheStandbyAnswers();
  });

  it('come from the new primary while the standby still follows the former one, and is ahead', async () => {
    const promoted = await Standby.of(primary.url, clusterDir);
    let other: OwnService | undefined;
    try {
      // The other standby is synchronous already, so nobody has waited for this one to be up.
      await eventually(() => run(promoted.url, 'SELECT 1'));
      await promoted.promote();
      other = await serviceOn(promoted.url, standby.url);
      const partner = partnerClient(other);
      await startJourney(partner);
      await run(primary.url, 'CREATE TABLE ahead AS SELECT generate_series(1, 300000) AS n');
      const [{ lsn }] = await run(promoted.url, 'SELECT pg_current_wal_insert_lsn()::text AS lsn');
      await eventually(async () => {
        const ahead = `SELECT pg_last_wal_replay_lsn() > '${lsn as string}' AS "isAhead"`;
        expect((await run(standby.url, ahead))[0].isAhead).toBe(true);
      });
      const { json } = await partner.get('/leads');
      expect(json.data.total).toBe(await leadsOf(promoted.url));
      expect(await leadsOf(standby.url)).toBeLessThan(json.data.total as number);
    } finally {
      await other?.close();
      await promoted.stop();
    }
  }, 60_000);

  it('come from the primary when the standby is gone', async () => {
    await run(primary.url, 'ALTER SYSTEM RESET synchronous_standby_names');
    await run(primary.url, 'SELECT pg_reload_conf()');
    await address.cut();
    await standby.stop();
    expect(await seenOfOneMore()).toBe(1);
    expect(await seenOfOneMore()).toBe(1);
  });
});
