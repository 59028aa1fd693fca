// Isolated: its PostgreSQL has a standby, fails over to it, or accepts no writes.
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { runAdminWith } from '../../support/admin-command.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { eventually } from '../../support/eventually.js';
import {
  driveTo,
  journeyIn,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { type OwnCluster, startOwnCluster } from '../../support/own-cluster.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { run, Standby } from '../../support/standby.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import {
  BACK_MS,
  expectLiveButNotReady,
  expectRefused,
  expectUnavailable,
  sequencesOf,
  untilReady,
} from './unavailable.js';

let primary: OwnCluster;
let standby: Standby;
let service: OwnService;
/** In front of the primary. */
let proxy: DatabaseProxy;
/** In front of the standby. */
let address: DatabaseProxy;

// Each step starts from the state that the step before left.
beforeAll(async () => {
  primary = await startOwnCluster(['wal_keep_size=256MB', 'dynamic_shared_memory_type=mmap']);
}, 120_000);

afterAll(async () => {
  await service?.close();
  await proxy?.cut();
  await address?.cut();
  await standby?.stop();
  await primary?.stop();
});

function serviceOn(databaseUrl: string, readUrl: string): Promise<OwnService> {
  return startService({ databaseUrl, environment: { DATABASE_READ_URL: readUrl } });
}

async function reload(statement: string): Promise<void> {
  await run(primary.url, statement);
  await run(primary.url, 'SELECT pg_reload_conf()');
}

it('a production does not start with an asynchronous standby, unless that is accepted, and its check says why', async () => {
  const environment = { ...PRODUCTION_VARIABLES, DATABASE_LOSS_ACCEPTED: '' };
  // Not a superuser, so it cannot read the standby's state.
  await run(primary.url, `CREATE ROLE operated LOGIN PASSWORD 'operated'`);
  await run(primary.url, 'CREATE DATABASE operated OWNER operated TEMPLATE template0');
  const { href: url } = Object.assign(new URL(primary.url), {
    username: 'operated',
    password: 'operated',
    pathname: '/operated',
  });
  const check = (more = {}) => runAdminWith({ ...environment, ...more }, url, 'database', 'check');
  const passes = async (said: RegExp, more = {}) =>
    expect(await check(more)).toMatchObject({ code: 0, out: expect.stringMatching(said) });
  await passes(/has no standby/);
  standby = await Standby.of(primary.url, primary.clusterDir);
  await passes(/OK: no database setting loses committed data\./);
  await passes(/walreceiver \(state hidden\)/);

  await reload('ALTER SYSTEM RESET synchronous_standby_names');
  await eventually(async () => expect((await check()).code).toBe(1));
  const asynchronous = /synchronous_standby_names is empty, so commits do not wait for walreceiver/;
  await expect(startService({ databaseUrl: url, environment })).rejects.toThrow(asynchronous);
  const { error } = await check();
  expect(error).toMatch(asynchronous);
  expect(error).toContain('GRANT pg_monitor TO operated;');
  await passes(/Warning: accepted by DATABASE_LOSS_ACCEPTED: synchronous_standby_names/, {
    DATABASE_LOSS_ACCEPTED: 'true',
  });
  await reload(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
}, 60_000);

describe('a failover to a standby', () => {
  const errors = vi.spyOn(Logger.prototype, 'error');
  const warnings = vi.spyOn(Logger.prototype, 'warn');
  let demo: PartnerClient;
  let receiver: WebhookReceiver;
  let journey: StartedJourney;

  beforeAll(async () => {
    proxy = await DatabaseProxy.before(primary.url);
    address = await DatabaseProxy.before(standby.url);
    service = await serviceOn(proxy.url, address.url);
    demo = partnerClient(service);
    receiver = await WebhookReceiver.start();
    await demo.post('/webhooks', { url: receiver.url() });
    journey = await journeyIn(demo, 'KYC_PENDING');
  });

  afterAll(async () => {
    errors.mockRestore();
    warnings.mockRestore();
    await receiver?.stop();
  });

  function linesOf({ mock }: typeof errors | typeof warnings, message: string): number {
    return mock.calls.filter(([line]) => String(line).includes(message)).length;
  }

  it('every call answers 503 in the envelope, with Retry-After, while the primary refuses writes; the process lives and is not ready', async () => {
    await reload('ALTER SYSTEM SET default_transaction_read_only = on');
    await eventually(() => expectUnavailable(demo));
    await Promise.all(Array.from({ length: 20 }, () => expectUnavailable(demo)));
    await expectRefused(demo, journey);
    expect((await demo.post('/webhooks', { url: receiver.url('/other') })).status).toBe(503);
    await expectLiveButNotReady(service);
    // Everything continues once the database accepts writes again.
    await run(
      `${primary.url}?options=-cdefault_transaction_read_only%3Doff`,
      'ALTER SYSTEM RESET default_transaction_read_only',
    );
    await run(primary.url, 'SELECT pg_reload_conf()');
    await untilReady(service);
    await driveTo(demo, journey, 'BANK_ACCOUNT_PENDING');
    expect(linesOf(errors, 'The database accepts no writes')).toBe(1);
    await eventually(() => expect(linesOf(warnings, 'The database is available again')).toBe(1));
  });

  it('while the address leads to the standby, calls answer 503 and it is not ready', async () => {
    await proxy.cut();
    await proxy.restore(standby.url);
    await expectUnavailable(demo);
    await expectRefused(demo, journey);
    await expectLiveButNotReady(service);

    // A journey continues when the address leads to the primary again. Connections to the standby last until the
    // service closes them.
    await proxy.restore(primary.url);
    await untilReady(service);
    await driveTo(demo, journey, 'SANCTIONED');
    await receiver.waitForEvent('journey.completed', BACK_MS);
    // An interrupted claim is retried only after its lease expires.
    await run(primary.url, 'UPDATE sandbox_clock SET offset_ms = offset_ms + 21000');
    await eventually(() => expect(sequencesOf(receiver, journey.id).size).toBe(7));
  }, 60_000);
});

describe('lists, where a standby may answer them', () => {
  const LEADS = 'SELECT count(*)::int AS leads FROM applications';

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

  async function seenOfOneMore(): Promise<number> {
    const before = await leadsOf(primary.url);
    await startJourney(partnerClient(service));
    return (await total()) - before;
  }

  async function untilTheStandbyAnswers(): Promise<void> {
    const before = await answeredBy('standby');
    const answers = async () => {
      await total();
      expect(await answeredBy('standby')).toBeGreaterThan(before);
    };
    await eventually(answers, { withinMs: BACK_MS });
  }

  it('come from the standby, with what was written a moment before', async () => {
    await untilTheStandbyAnswers();
    for (let turn = 0; turn < 2; turn += 1) expect(await seenOfOneMore()).toBe(1);
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
    // The standby lacks the lead, so it was not queried.
    expect(await leadsOf(standby.url)).toBeLessThan(await leadsOf(primary.url));
    await run(standby.url, 'SELECT pg_wal_replay_resume()');
    await untilTheStandbyAnswers();
  });

  it('come from the new primary while the standby still follows the former one, and is ahead', async () => {
    const promoted = await Standby.of(primary.url, primary.clusterDir);
    let other: OwnService | undefined;
    try {
      // The other standby was synchronous already, so this one may still be catching up.
      await eventually(() => run(promoted.url, 'SELECT 1'));
      await promoted.promote();
      other = await serviceOn(promoted.url, standby.url);
      const partner = partnerClient(other);
      await startJourney(partner);
      await run(primary.url, 'CREATE TABLE ahead AS SELECT generate_series(1, 100000) AS n');
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
    await reload('ALTER SYSTEM RESET synchronous_standby_names');
    await address.cut();
    await standby.stop();
    expect(await seenOfOneMore()).toBe(1);
  });
});
