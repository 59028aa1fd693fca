// Isolated: locks a table, and puts the clock off.
import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ClockWatch } from '../../../src/clock-watch/index.js';
import { Database, DatabaseWaits, SystemClock } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { type OwnService, startService } from '../../support/service.js';

const CONNECTIONS = 8;

const READ = 'SELECT count(*) FROM partners';

let service: OwnService;

beforeAll(async () => void (service = await startService()));

afterAll(() => service.close());

/** The metrics by their names with labels, all of one moment. */
async function metrics(): Promise<Map<string, number>> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const lines = text.matchAll(/^([a-z_]+(?:\{.*\})?) (\S+)$/gm);
  return new Map([...lines].map(([, name, value]) => [name, Number(value)]));
}

async function metric(name: string): Promise<number> {
  return (await metrics()).get(name)!;
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
  const after = await metrics();
  const longWaits =
    after.get('database_pool_wait_seconds_count')! -
    after.get('database_pool_wait_seconds_bucket{le="1"}')!;
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

let lines: unknown[];

/** The lines without those of flags. */
let errors: string[];

afterEach(() => vi.restoreAllMocks());

/** Puts the machine's clock off by so much, as the watch meets it at its next check. */
async function putOff(seconds: number): Promise<void> {
  [lines, errors] = [[], []];
  vi.restoreAllMocks();
  vi.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => {
    lines.push(line);
    if (typeof line === 'string') errors.push(line);
  });
  vi.spyOn(service.get<SystemClock>(SystemClock), 'now').mockImplementation(
    () => new Date(Date.now() + seconds * 1_000),
  );
  await service.get<ClockWatch>(ClockWatch).check();
}

async function flags() {
  return service.get<Database>(Database).query(
    `SELECT cause, detail ->> 'secondsAhead' AS ahead, count, resolved_at IS NULL AS open FROM operator_flags
       WHERE kind = 'CLOCK_OFF' AND subject_id = $1 ORDER BY id`,
    [`clock of ${hostname()}`],
  );
}

async function ready({ baseUrl } = service) {
  const answer = await fetch(`${baseUrl}/health/ready`);
  return { status: answer.status, text: await answer.text() };
}

/** Null when the metric has no value. */
async function measured(): Promise<number | null> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const found = /^database_clock_difference_seconds (\S+)$/m.exec(text);
  return found && Number(found[1]);
}

it('is measured at the start, by the machine’s time and not by the sandbox’s', async () => {
  expect(await measured()).toBeCloseTo(0, 0);
  await service.travel(24 * 3_600_000);
  await putOff(0);
  expect(await measured()).toBeCloseTo(0, 0);
  expect(await flags()).toEqual([]);
});

it('is logged and flagged from 30 s on, and the replica stays ready', async () => {
  await putOff(29);
  expect([errors, await flags()]).toEqual([[], []]);
  await putOff(-31);
  await putOff(-31);
  expect(await measured()).toBeCloseTo(-31, 0);
  expect(errors).toEqual([
    expect.stringMatching(/^The clock of .+ is 3\d\.\d s behind the database's; from 120 s/),
  ]);
  expect(await flags()).toEqual([{ cause: 'OFF', ahead: '-31', count: 2, open: true }]);
  expect((await ready()).status).toBe(200);
});

const HINT = "If every replica says so, the database host's clock is the wrong one";

it('makes the replica not ready from 120 s on, with the reason and another flag, until it is right again', async () => {
  await putOff(400);
  const raised = expect.objectContaining({ msg: 'flag raised', cause: 'NOT_READY' });
  expect(lines).toEqual([expect.stringContaining('this replica is not ready'), raised]);
  expect(errors[0]).toContain(HINT);
  const { status, text } = await ready();
  expect(status).toBe(503);
  expect(text).toMatch(/"field":"clock","message":"This replica's clock is 400\.\d s ahead of/);
  expect(text).toContain(HINT);
  const off = { cause: 'OFF', ahead: '-31', count: 2, open: false };
  const notReady = { cause: 'NOT_READY', ahead: '400', count: 1 };
  expect(await flags()).toEqual([off, { ...notReady, open: true }]);
  await putOff(0);
  expect((await ready()).status).toBe(200);
  expect(await flags()).toEqual([off, { ...notReady, open: false }]);
});

it('of a replica that starts is known before its first request', async () => {
  vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  vi.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(Date.now() + 400_000));
  const started = await startService();
  try {
    const { status, text } = await ready(started);
    expect([status, text]).toEqual([503, expect.stringContaining("replica's clock is 400.")]);
  } finally {
    await started.close();
  }
});

it('of a host that was not measured for five minutes is no longer flagged', async () => {
  const database = service.get<Database>(Database);
  const open = `SELECT subject_id AS host FROM operator_flags
    WHERE kind = 'CLOCK_OFF' AND resolved_at IS NULL ORDER BY id`;
  await database.query(
    `INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail)
     SELECT '-', host, 'CLOCK_OFF', 'OFF', jsonb_build_object('checkedAt', clock_timestamp() - ago)
     FROM (VALUES ('gone', interval '6 minutes'), ('there', interval '4 minutes')) AS hosts (host, ago)`,
  );
  await service.travel(24 * 3_600_000);
  await putOff(0);
  expect(await database.query(open)).toEqual([{ host: 'there' }]);
});

it('keeps the replica not ready, without a value in the metrics, while the database does not answer', async () => {
  await putOff(200);
  vi.spyOn(service.get<Database>(Database), 'queryReserved').mockRejectedValue(new Error('away'));
  await service.get<ClockWatch>(ClockWatch).check();
  expect(await measured()).toBeNull();
  vi.restoreAllMocks();
  expect((await ready()).text).toContain('clock is 200.');
  vi.restoreAllMocks();
  await putOff(0);
  expect((await ready()).status).toBe(200);
});
