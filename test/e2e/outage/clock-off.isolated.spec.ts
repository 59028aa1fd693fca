// Isolated: locks a table, and changes the clock.
import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ClockWatch } from '../../../src/clock-watch/index.js';
import { Database, SystemClock } from '../../../src/platform/index.js';
import { type OwnService, startService } from '../../support/service.js';

let service: OwnService;

beforeAll(async () => void (service = await startService()));

afterAll(() => service.close());

afterEach(() => vi.restoreAllMocks());

/** Shifts the clock; returns what was logged about it. */
async function putOff(seconds: number): Promise<unknown[]> {
  vi.restoreAllMocks();
  const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  vi.spyOn(service.get<SystemClock>(SystemClock), 'now').mockImplementation(
    () => new Date(Date.now() + seconds * 1_000),
  );
  await service.get<ClockWatch>(ClockWatch).check();
  return logged.mock.calls.map(([line]: unknown[]) => line);
}

async function flags() {
  return service.get<Database>(Database).query(
    `SELECT cause, detail ->> 'secondsAhead' AS ahead, count, resolved_at IS NULL AS open FROM operator_flags
       WHERE kind = 'CLOCK_OFF' AND subject_id = $1 ORDER BY id`,
    [`clock of ${hostname()}`],
  );
}

async function ready() {
  const answer = await fetch(`${service.baseUrl}/health/ready`);
  return { status: answer.status, text: await answer.text() };
}

async function measured(): Promise<number | null> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const found = /^database_clock_difference_seconds (\S+)$/m.exec(text);
  return found && Number(found[1]);
}

it('is measured by the machine’s time and not by the sandbox’s, and logged and flagged from 30 s on', async () => {
  expect(await measured()).toBeCloseTo(0, 0);
  await service.travel(24 * 3_600_000);
  expect([await putOff(29), await flags()]).toEqual([[], []]);
  await putOff(-31);
  expect(await putOff(-31)).toEqual([
    expect.stringMatching(
      /^The clock of .+ is 3\d\.\d s behind the database's; at 120 s this replica stops being ready/,
    ),
  ]);
  expect(await measured()).toBeCloseTo(-31, 0);
  expect(await flags()).toEqual([{ cause: 'OFF', ahead: '-31', count: 2, open: true }]);
  expect((await ready()).status).toBe(200);
});

const HINT = "If every replica reports this, correct the database host's clock instead";

it('makes the replica not ready from 120 s on, with the reason and another flag, until it is right again', async () => {
  const raised = expect.objectContaining({ msg: 'flag raised', cause: 'NOT_READY' });
  const lines = await putOff(400);
  expect(lines).toEqual([expect.stringContaining('this replica is not ready'), raised]);
  expect(lines[0]).toContain(HINT);
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
