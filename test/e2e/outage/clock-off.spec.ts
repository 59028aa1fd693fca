import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ClockWatch } from '../../../src/clock-watch/index.js';
import { Database, SystemClock } from '../../../src/platform/index.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
let errors: string[];

beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());
afterEach(() => vi.restoreAllMocks());

/** Puts the machine's clock off by so much, as the watch meets it at its next check. */
async function putOff(seconds: number): Promise<void> {
  errors = [];
  vi.restoreAllMocks();
  vi.spyOn(Logger.prototype, 'error').mockImplementation((line) => void errors.push(String(line)));
  vi.spyOn(service.get<SystemClock>(SystemClock), 'now').mockImplementation(
    () => new Date(Date.now() + seconds * 1_000),
  );
  await service.get<ClockWatch>(ClockWatch).check();
}

async function flags() {
  return service.get<Database>(Database).query(
    `SELECT detail ->> 'secondsAhead' AS ahead, count, resolved_at IS NULL AS open FROM operator_flags
       WHERE kind = 'CLOCK_OFF' AND subject_id = $1 ORDER BY id`,
    [`clock of ${hostname()}`],
  );
}

async function ready() {
  const answer = await fetch(`${service.baseUrl}/health/ready`);
  return { status: answer.status, text: await answer.text() };
}

async function measured(): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  return Number(/^database_clock_difference_seconds (\S+)$/m.exec(text)![1]);
}

it('is measured at the start, by the machine’s time and not by the sandbox’s', async () => {
  expect(Math.abs(await measured())).toBeLessThan(1);
  await service.travel(24 * 3_600_000);
  await putOff(0);
  expect(Math.abs(await measured())).toBeLessThan(1);
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
  expect(await flags()).toEqual([{ ahead: '-31', count: 2, open: true }]);
  expect((await ready()).status).toBe(200);
});

it('makes the replica not ready from 120 s on, with the reason, until it is right again', async () => {
  await putOff(400);
  expect(errors).toEqual([expect.stringContaining('this replica is not ready')]);
  const { status, text } = await ready();
  expect(status).toBe(503);
  expect(text).toMatch(/"field":"clock","message":"This replica's clock is 400\.\d s ahead of/);
  await putOff(0);
  expect((await ready()).status).toBe(200);
  expect(await flags()).toEqual([{ ahead: '400', count: 3, open: false }]);
});

it('keeps its last result, and a check ends, while the database does not answer', async () => {
  await putOff(200);
  vi.spyOn(service.get<Database>(Database), 'queryReserved').mockRejectedValue(new Error('away'));
  await service.get<ClockWatch>(ClockWatch).check();
  expect(await measured()).toBeCloseTo(200, 0);
  vi.restoreAllMocks();
  await putOff(0);
  expect((await ready()).status).toBe(200);
});
