import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DuePoller, DueTimes, TimedWork } from '../platform/index.js';
import type { SandboxClockNews, SandboxTime } from './sandbox-clock-news.js';
import type { MoveClock, SandboxClockRepository } from './store/sandbox-clock.repository.js';
import { TimeTravel } from './time-travel.js';

const DAY = 86_400_000;

const A_LOOK_MS = 100;

/** A fake machine clock: checks and pauses advance it without real waiting. */
const machine = { elapsedMs: 0 };

/** A sandbox in which work falls due every `everyMs`. */
class Sandbox {
  now = 0;
  /** Where time stopped. */
  readonly stops: number[] = [];
  isStuck = false;
  readonly work: TimedWork = { times: () => '' };

  constructor(private readonly everyMs: number) {}

  travel(targetMs: number) {
    const move: MoveClock = (milliseconds) => {
      this.now += milliseconds;
      this.stops.push(this.now);
      return Promise.resolve(this.now);
    };
    const alone = (work: (by: MoveClock) => Promise<unknown>) => work(move);
    const time = { follow: () => Promise.resolve(this.now), travel: (by: number) => move(by) };
    const look = () => {
      machine.elapsedMs += A_LOOK_MS;
      const due = this.isStuck ? [this.work] : [];
      const nextInMs = this.everyMs - (this.now % this.everyMs);
      return Promise.resolve({ now: this.now, due, nextInMs });
    };
    return new TimeTravel(
      { alone } as unknown as SandboxClockRepository,
      { look } as unknown as DueTimes,
      { lookNow: () => undefined } as unknown as DuePoller,
      time as unknown as SandboxTime,
      { tell: () => Promise.resolve() } as unknown as SandboxClockNews,
    ).travel(() => targetMs);
  }
}

beforeEach(() => {
  machine.elapsedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => machine.elapsedMs);
  vi.spyOn(timers, 'setTimeout').mockImplementation((milliseconds) => {
    machine.elapsedMs += milliseconds!;
    return Promise.resolve(undefined as never);
  });
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('a call that moves time', () => {
  it('stops at each moment at which something falls due, and no further than the target', async () => {
    const sandbox = new Sandbox(DAY);
    const { hasArrived } = await sandbox.travel(2.5 * DAY);
    expect([hasArrived, sandbox.stops]).toEqual([true, [DAY, 2 * DAY, 2.5 * DAY]]);
  });

  it('makes longer moments when there is something every second, so that it comes to its end', async () => {
    const sandbox = new Sandbox(1_000);
    const { hasArrived } = await sandbox.travel(DAY);
    expect(hasArrived).toBe(true);
    const steps = sandbox.stops.map((stop, place) => stop - (sandbox.stops[place - 1] ?? 0));
    expect(new Set(steps)).toEqual(new Set([1_000, 60_000, 3_600_000, steps.at(-1)]));
  });

  it('says after its 25 seconds that it has not arrived, where it has got', async () => {
    const sandbox = new Sandbox(1_000);
    const { hasArrived, now } = await sandbox.travel(365 * DAY);
    expect([hasArrived, now.getTime()]).toEqual([false, sandbox.stops.at(-1)]);
    expect(now.getTime()).toBeLessThan(365 * DAY);
    expect(machine.elapsedMs).toBeLessThan(30_000);
  });

  it('leaves behind what is not done in 15 seconds, and waits for it no second time', async () => {
    const sandbox = new Sandbox(DAY);
    sandbox.isStuck = true;
    const { hasArrived } = await sandbox.travel(3 * DAY);
    expect([hasArrived, sandbox.stops]).toEqual([true, [DAY, 2 * DAY, 3 * DAY]]);
    expect(machine.elapsedMs).toBeGreaterThan(15_000);
    expect(machine.elapsedMs).toBeLessThan(18_000);
  });
});
