// Isolated: its PostgreSQL has settings of its own.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { runAdminWith } from '../../support/admin-command.js';
import { PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { eventually } from '../../support/eventually.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { startService } from '../../support/service.js';
import { run, Standby } from '../../support/standby.js';

const SETTINGS = ['wal_keep_size=256MB', 'dynamic_shared_memory_type=mmap'];
const KEPT = 'What was answered is kept.';
const ASYNCHRONOUS = /synchronous_standby_names is empty, so nobody waits for walreceiver/;
const PRODUCTION = { ...PRODUCTION_VARIABLES, DATABASE_LOSS_ACCEPTED: '' };

// Each step is a state of one server, and takes up where the one before left it.
describe('a production, by a role that is no superuser', () => {
  const dataDir = scratchFolder('rinpath-durability-');
  let primary: RunningPostgres;
  let standby: Standby;
  let url: string;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    primary = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    await run(primary.url, `CREATE ROLE operated LOGIN PASSWORD 'operated'`);
    await run(primary.url, 'CREATE DATABASE operated OWNER operated TEMPLATE template0');
    const own = new URL(primary.url);
    Object.assign(own, { username: 'operated', password: 'operated', pathname: '/operated' });
    url = own.href;
  }, 60_000);

  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  function check(more: Record<string, string> = {}) {
    return runAdminWith({ ...PRODUCTION, ...more }, url, 'database', 'check');
  }

  function start(): Promise<unknown> {
    return startService({ databaseUrl: url, environment: PRODUCTION });
  }

  async function reload(statement: string): Promise<void> {
    await run(primary.url, statement);
    await run(primary.url, 'SELECT pg_reload_conf()');
  }

  it('starts on a server without a standby, which the check notes', async () => {
    const { code, out } = await check();
    expect(code).toBe(0);
    expect(out).toContain('The database has no standby');
    expect(out).toContain('followers: none');
    const service = await startService({ databaseUrl: url, environment: PRODUCTION });
    await service.close();
  });

  it('is right with a synchronous standby, whose state the role may not see', async () => {
    standby = await Standby.of(primary.url, join(dataDir, 'postgres'));
    const { code, out } = await check();
    expect(code).toBe(0);
    expect(out).toContain(KEPT);
    expect(out).toContain('walreceiver (state hidden)');
    expect(out).not.toContain('The database has no standby');
  }, 60_000);

  it('does not start while commits do not wait for the standby', async () => {
    await run(primary.url, 'ALTER ROLE operated SET synchronous_commit = local');
    await expect(start()).rejects.toThrow(/synchronous_commit is local/);
    expect((await check()).code).toBe(1);
    await run(primary.url, 'ALTER ROLE operated RESET synchronous_commit');
  });

  it('does not start with an asynchronous standby, and is told how to see more', async () => {
    await reload('ALTER SYSTEM RESET synchronous_standby_names');
    await eventually(async () => expect((await check()).code).toBe(1));
    await expect(start()).rejects.toThrow(ASYNCHRONOUS);
    const { error } = await check();
    expect(error).toMatch(ASYNCHRONOUS);
    expect(error).toContain('GRANT pg_monitor TO operated;');
    await run(primary.url, 'GRANT pg_monitor TO operated');
    const seen = await check();
    expect(seen.out).toContain('walreceiver (async)');
    expect(seen.error).toMatch(ASYNCHRONOUS);
    expect(seen.error).not.toContain('pg_monitor');
  });

  it('starts with it where that is accepted', async () => {
    const accepted = { DATABASE_LOSS_ACCEPTED: 'true' };
    const { code, out } = await check(accepted);
    expect(code).toBe(0);
    expect(out).toMatch(/Accepted by DATABASE_LOSS_ACCEPTED: synchronous_standby_names is empty/);
    expect(out).not.toContain(KEPT);
    const environment = { ...PRODUCTION, ...accepted };
    const service = await startService({ databaseUrl: url, environment });
    await service.close();
  });
});
