import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkLoop } from './work-loop.js';

type Run = () => Promise<number>;

const POLL_MS = 10_000;

let loop: WorkLoop | undefined;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(async () => {
  await loop?.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function start(run: Run, beginsAtRest = false): WorkLoop {
  loop = new WorkLoop({ name: 'test', run, pollMs: POLL_MS, beginsAtRest });
  loop.start();
  return loop;
}

describe('a work loop', () => {
  it('looks at once when it starts', async () => {
    const run = vi.fn<Run>(() => Promise.resolve(0));
    start(run);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('begins at rest when somebody else looks for it, until it is woken or by itself', async () => {
    const run = vi.fn<Run>(() => Promise.resolve(0));
    start(run, true);
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(run).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(1);
    await loop?.stop();
    start(run, true).wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('does not miss that it was woken before it started', async () => {
    const run = vi.fn<Run>(() => Promise.resolve(0));
    loop = new WorkLoop({ name: 'test', run, pollMs: POLL_MS, beginsAtRest: true });
    loop.wake();
    loop.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('goes on without a rest while there is something to do', async () => {
    const run = vi.fn<Run>().mockResolvedValue(0);
    run.mockResolvedValueOnce(5).mockResolvedValueOnce(1);
    start(run);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('looks by itself after the poll interval, not before', async () => {
    const run = vi.fn<Run>(() => Promise.resolve(0));
    start(run);
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('looks at once when it is woken, and starts its interval again', async () => {
    const run = vi.fn<Run>(() => Promise.resolve(0));
    const woken = start(run);
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    woken.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('looks once more when it is woken while it is just looking', async () => {
    let finish: (done: number) => void = () => undefined;
    const run = vi.fn<Run>(() => new Promise((resolve) => (finish = resolve)));
    const woken = start(run);
    woken.wake();
    woken.wake();
    finish(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
    finish(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('rests after a failure and goes on', async () => {
    const run = vi.fn<Run>().mockResolvedValue(0);
    run.mockRejectedValueOnce(new Error('the database is away'));
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    start(run);
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(1);
    expect(logged).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('lets what is in progress end before it has stopped, and starts nothing more', async () => {
    let finish: (done: number) => void = () => undefined;
    const run = vi.fn<Run>(() => new Promise((resolve) => (finish = resolve)));
    const stopping = start(run).stop();
    let isStopped = false;
    void stopping.then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(isStopped).toBe(false);
    finish(3);
    await stopping;
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('stops at once while it rests, leaving no timer behind', async () => {
    const resting = start(() => Promise.resolve(0));
    await vi.advanceTimersByTimeAsync(1);
    await resting.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be stopped without having been started', async () => {
    await new WorkLoop({ name: 'test', run: () => Promise.resolve(0), pollMs: 1 }).stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
