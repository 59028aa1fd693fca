// Isolated: a table of its database is locked.
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Database, DatabaseWaits } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { startService, type OwnService } from '../../support/service.js';

const CONNECTIONS = 8;
const READ = 'SELECT count(*) FROM partners';

let service: OwnService;

beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
}

it('a locked table is named in the log and the metrics, and the replica stays ready', async () => {
  const database = service.get<Database>(Database);
  const waits = service.get<DatabaseWaits>(DatabaseWaits);
  const lines: string[] = [];
  vi.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(String(line)));
  await waits.check();
  expect(lines).toEqual([]);
  const lock = await HeldLock.take(service.databaseUrl, 'LOCK TABLE partners');
  const reads = Array.from({ length: CONNECTIONS + 3 }, () => database.query(READ));
  await lock.waiting(READ, CONNECTIONS);
  expect(await metric('database_calls_waiting')).toBeGreaterThanOrEqual(3);
  await eventually(
    async () => {
      lines.length = 0;
      await waits.check();
      expect(lines).toEqual([
        expect.stringMatching(
          /^Calls that waited over a second for a connection: \d+, the longest for \d+\.\d s$/,
        ),
        expect.stringMatching(
          new RegExp(
            String.raw`^Statements that wait for a lock on partners: [89], the longest for \d+\.\d s; ` +
              String.raw`held by process \d+ \(.*, idle in transaction, \d+ s in its transaction\)$`,
          ),
        ),
      ]);
    },
    { withinMs: 10_000 },
  );
  expect(await metric('database_lock_waits')).toBeGreaterThanOrEqual(CONNECTIONS);
  expect((await fetch(`${service.baseUrl}/health/ready`)).status).toBe(200);
  await lock.release();
  await Promise.all(reads);
  const longWaits =
    (await metric('database_pool_wait_seconds_count')) -
    (await metric(String.raw`database_pool_wait_seconds_bucket\{le="1"\}`));
  expect(longWaits).toBeGreaterThanOrEqual(3);
  await waits.check();
  expect(await metric('database_lock_waits')).toBe(0);
  vi.restoreAllMocks();
});

it('an advisory lock is no wait, and two that wait for a row name no table', async () => {
  const database = service.get<Database>(Database);
  const waits = service.get<DatabaseWaits>(DatabaseWaits);
  const lines: string[] = [];
  vi.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(String(line)));
  const booted = await HeldLock.take(service.databaseUrl, 'SELECT pg_advisory_xact_lock(4711)');
  const boots = database.query('SELECT pg_advisory_xact_lock(4711)');
  await booted.waiting('pg_advisory_xact_lock');
  const row = 'SELECT id FROM partners ORDER BY id LIMIT 1 FOR UPDATE';
  const lock = await HeldLock.take(service.databaseUrl, row);
  const reads = [1, 2].map(() => database.query(row));
  await lock.waiting(row, reads.length);
  await eventually(
    async () => {
      lines.length = 0;
      await waits.check();
      expect(lines).toEqual([expect.stringMatching(/^Statements that wait for a row: 2, /)]);
    },
    { withinMs: 10_000 },
  );
  expect(await metric('database_lock_waits')).toBe(2);
  await Promise.all([booted.release(), lock.release()]);
  await Promise.all([boots, ...reads]);
  vi.restoreAllMocks();
});
