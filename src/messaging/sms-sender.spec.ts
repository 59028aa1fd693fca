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
  let end: (taken: boolean) => void = () => undefined;
  const result = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const work = vi.fn<() => Promise<boolean>>(() => result);
  return { work, end };
}

const quick = () => Promise.resolve(true);

/** Makes `times` callers in a row time out; returns functions that end their work. */
async function makeSlow(places: CallerSlots, times = 3): Promise<(() => void)[]> {
  const ends: (() => void)[] = [];
  for (let time = 0; time < times; time += 1) {
    const { work, end } = held();
    const answer = places.within(work);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await answer).toBe(false);
    ends.push(() => end(true));
  }
  return ends;
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
    end(true);
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
    for (const { end } of waiting) end(true);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 16 }, () => true));
    await vi.advanceTimersByTimeAsync(0);
    expect(await places.within(next)).toBe(true);
  });

  it('let one at a time wait once three have waited in vain', async () => {
    const places = new CallerSlots();
    const ends = await makeSlow(places);
    expect(await places.within(quick)).toBe(false);
    for (const end of ends) end();
    await vi.advanceTimersByTimeAsync(0);
    const probe = held();
    const answer = places.within(probe.work);
    expect(await places.within(quick)).toBe(false);
    probe.end(true);
    expect(await answer).toBe(true);
  });

  it('are all open again after one quick answer', async () => {
    const places = new CallerSlots();
    for (const end of await makeSlow(places)) end();
    await vi.advanceTimersByTimeAsync(0);
    expect(await places.within(quick)).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    const both = [held(), held()];
    const answers = both.map(({ work }) => places.within(work));
    for (const { end } of both) end(true);
    expect(await Promise.all(answers)).toEqual([true, true]);
  });
});
