import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { Metrics } from '../metrics/metrics.js';
import { DatabaseWaits, PoolWaits } from './database-waits.js';
import type { Database } from './database.js';

afterEach(() => vi.restoreAllMocks());

it('logs waits for the pool, and shows no waits for locks, when the database does not answer', async () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const warned = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
  vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  const pool = { waitingCount: 1, connect: () => new Promise(() => undefined) } as unknown as Pool;
  const queryReserved = vi.fn<Database['queryReserved']>();
  queryReserved.mockResolvedValueOnce([{ statements: 0 }]);
  queryReserved.mockRejectedValue(new Error('away'));
  const metrics = new Metrics();
  const database = { dataSource: { driver: { master: pool } }, queryReserved, isAway: false };
  const waits = new DatabaseWaits(database as unknown as Database, metrics);
  const shown = async () =>
    /^database_lock_waits .+$/m.exec(await metrics.registry.metrics())?.[0] ?? null;
  waits.onModuleInit();
  expect(await shown()).toBeNull();
  await waits.check();
  expect(await shown()).toBe('database_lock_waits 0');
  void pool.connect();
  time += 2_000;
  await waits.check();
  expect(warned.mock.calls.flat()).toEqual([
    'Calls that waited over 1 s for a database connection: 1, the longest 2.0 s',
  ]);
  expect(await shown()).toBeNull();
  database.isAway = true;
  await waits.check();
  expect(warned).toHaveBeenCalledOnce();
});

it('counts the calls that waited over a second, and those that still do, and the longest', () => {
  let now = 0;
  const asked: (() => void)[] = [];
  const pool = { connect: (done: () => void) => void asked.push(done) } as unknown as Pool;
  const poolWaits = new PoolWaits(
    1_000,
    () => undefined,
    () => now,
  );
  poolWaits.watch(pool);
  for (const at of [0, 100, 900]) {
    now = at;
    pool.connect(() => undefined);
  }
  now = 1_500;
  asked[0]();
  expect(poolWaits.takeLongWaits()).toEqual({ calls: 2, longestMs: 1_500 });
  now = 2_000;
  asked[1]();
  asked[2]();
  expect(poolWaits.takeLongWaits()).toEqual({ calls: 2, longestMs: 1_900 });
  expect(poolWaits.takeLongWaits()).toBeNull();
});
