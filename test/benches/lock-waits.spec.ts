import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLongestWait } from '../../bench/growth/lock-waits.ts';
import { connected } from '../../bench/support/create-database.ts';
import { sharedService } from '../support/shared-service.js';

const UPKEEP = 'upkeep-of-the-spec';
const HELD_TURNS = 20;
const TURN_MS = 25;

let url: string;
let upkeep: Client;
let other: Client;
let caller: Client;

beforeAll(async () => {
  url = (await sharedService()).databaseUrl;
  const named = new URL(url);
  named.searchParams.set('application_name', UPKEEP);
  [upkeep, other, caller] = await Promise.all([
    connected(named.href),
    connected(url),
    connected(url),
  ]);
  await caller.query('CREATE TABLE held ()');
});

afterAll(async () => {
  await caller.query('DROP TABLE held');
  await Promise.all([upkeep, other, caller].map((client) => client.end()));
});

function waitedWhileHeldBy(holder: Client) {
  return withLongestWait(url, UPKEEP, async () => {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE held IN ACCESS EXCLUSIVE MODE');
    const call = caller.query('SELECT FROM held');
    for (let turn = 0; turn < HELD_TURNS; turn += 1) await sleep(TURN_MS);
    await holder.query('COMMIT');
    await call;
  });
}

it('a wait for the upkeep is seen, and only while the upkeep holds the table', async () => {
  const held = await waitedWhileHeldBy(upkeep);
  expect(held.waited).toBeGreaterThan(0);
  expect(held.isUpkeepThere).toBe(true);
  expect((await waitedWhileHeldBy(other)).waited).toBe(0);
  expect((await withLongestWait(url, 'no-upkeep', () => sleep(1))).isUpkeepThere).toBe(false);
});
