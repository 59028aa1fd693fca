import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { within } from './within.js';

const MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function never(): Promise<string> {
  return new Promise(() => undefined);
}

describe('work with a deadline', () => {
  it('comes to what the work comes to, and leaves no timer behind', async () => {
    expect(await within(MS, Promise.resolve('done'), () => 'late')).toBe('done');
    const failing = within(MS, Promise.reject(new Error('no')), () => 'late');
    await expect(failing).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('comes to what is said of work that is late, not a moment before', async () => {
    const outcomes: string[] = [];
    void within(MS, never(), () => 'late').then((outcome) => outcomes.push(outcome));
    await vi.advanceTimersByTimeAsync(MS - 1);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual(['late']);
  });

  it('throws what is thrown of work that is late', async () => {
    const late = within(MS, never(), () => {
      throw new Error('no answer in time');
    }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(MS);
    expect(await late).toMatchObject({ message: 'no answer in time' });
  });

  it('hears no more of work that fails when it is late', async () => {
    const work = Promise.withResolvers<string>();
    const outcome = within(MS, work.promise, () => 'late');
    await vi.advanceTimersByTimeAsync(MS);
    work.reject(new Error('too late to matter'));
    expect(await outcome).toBe('late');
  });
});
