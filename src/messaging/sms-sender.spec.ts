import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerSlots } from './sms-sender.js';

const WAIT_MS = 2_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function held() {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { work: () => promise, end: () => resolve(true) };
}

const quick = () => Promise.resolve(true);

/** Three callers in a row time out, and then their work ends. */
async function makeSlow(places: CallerSlots): Promise<void> {
  const slow = [held(), held(), held()];
  for (const { work } of slow) {
    const answer = places.within(work);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await answer).toBe(false);
  }
  expect(await places.within(quick)).toBe(false);
  for (const { end } of slow) end();
  await vi.advanceTimersByTimeAsync(0);
}

describe('the places of callers', () => {
  it('answer what the work answers, also a quick no', async () => {
    const places = new CallerSlots();
    for (const taken of [true, false, false, false, false, true]) {
      expect(await places.within(() => Promise.resolve(taken))).toBe(taken);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('let a caller go after two seconds, and the work go on', async () => {
    const places = new CallerSlots();
    const { work, end } = held();
    const answer = places.within(work);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await answer).toBe(false);
    let isDrained = false;
    const drained = places.drained().then(() => (isDrained = true));
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(isDrained).toBe(false);
    end();
    await drained;
    expect(isDrained).toBe(true);
  });

  it('take sixteen side by side; the next is refused at once, and its work does not begin', async () => {
    const places = new CallerSlots();
    const waiting = Array.from({ length: 16 }, () => held());
    const answers = waiting.map(({ work }) => places.within(work));
    const next = vi.fn<() => Promise<boolean>>(quick);
    expect(await places.within(next)).toBe(false);
    expect(next).not.toHaveBeenCalled();
    for (const { end } of waiting) end();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
    await vi.advanceTimersByTimeAsync(0);
    expect(await places.within(next)).toBe(true);
  });

  it('let one at a time wait once three have waited in vain; all are open again after one quick answer', async () => {
    const places = new CallerSlots();
    await makeSlow(places);
    const probe = held();
    const answer = places.within(probe.work);
    expect(await places.within(quick)).toBe(false);
    probe.end();
    expect(await answer).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    const both = [held(), held()];
    const answers = both.map(({ work }) => places.within(work));
    for (const { end } of both) end();
    expect(await Promise.all(answers)).toEqual([true, true]);
  });
});
