import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { PoolWaits } from './pool-waits.js';

type Done = (error?: Error) => void;

function bench() {
  const state = { now: 0, waits: [] as number[], asked: [] as Done[] };
  const connect = (done?: Done) => {
    if (done) return void state.asked.push(done);
    return new Promise<void>((resolve) => state.asked.push(() => resolve()));
  };
  const pool = { connect } as unknown as Pool;
  const poolWaits = new PoolWaits(
    1_000,
    (ms) => state.waits.push(ms),
    () => state.now,
  );
  poolWaits.watch(pool);
  return { state, poolWaits, pool };
}

it('measures a wait to the connection or the error, asked for by promise or callback', async () => {
  const { state, pool } = bench();
  const promised = pool.connect();
  let failure: Error | undefined;
  pool.connect((error) => void (failure = error));
  state.now = 5;
  state.asked[0]();
  await promised;
  state.now = 40;
  state.asked[1](new Error('away'));
  expect([state.waits, failure?.message]).toEqual([[5, 40], 'away']);
});

it('counts the calls that waited over a second, and those that still do, and the longest', () => {
  const { state, pool, poolWaits } = bench();
  for (const at of [0, 100, 900]) {
    state.now = at;
    pool.connect(() => undefined);
  }
  state.now = 1_500;
  state.asked[0]();
  expect(poolWaits.takeLongWaits()).toEqual({ calls: 2, longestMs: 1_500 });
  state.now = 2_000;
  state.asked[1]();
  state.asked[2]();
  expect(poolWaits.takeLongWaits()).toEqual({ calls: 2, longestMs: 1_900 });
  expect(poolWaits.takeLongWaits()).toBeNull();
});
