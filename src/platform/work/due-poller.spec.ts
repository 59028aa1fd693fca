import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../database/database.js';
import { DuePoller } from './due-poller.js';
import { dueRows } from './due-work.js';

const EVERY_MS = 1_000;

type Due = (boolean | null)[];

let answer: () => Promise<Due>;
let statements: string[];
let woken: string[];
let poller: DuePoller;

beforeEach(() => {
  vi.useFakeTimers();
  [statements, woken] = [[], []];
  answer = () => Promise.resolve([null, null]);
  const prepared = async (name: string, sql: string) => {
    statements.push(`${name}: ${sql}`);
    return [{ due: await answer() }];
  };
  poller = new DuePoller({ workerPool: () => ({ prepared }) } as unknown as Database);
  for (const table of ['one', 'other'])
    poller.watch(dueRows({ table, at: 'due_at' }), () => woken.push(table));
});

afterEach(async () => {
  await poller.onModuleDestroy();
  vi.useRealTimers();
});

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

describe('the poller', () => {
  it('asks once a second, in one statement for all', async () => {
    poller.onApplicationBootstrap();
    await pass(0);
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(/app_now\(\).* FROM one .* FROM other /s);
    expect(statements[0].match(/app_now/g)).toHaveLength(1);
    await pass(EVERY_MS - 1);
    expect(statements).toHaveLength(1);
    await pass(1);
    expect(statements).toHaveLength(2);
    expect(woken).toEqual([]);
  });

  it('wakes nothing once the modules are destroyed, before running tasks are waited for', async () => {
    answer = () => Promise.resolve([true, true]);
    poller.onApplicationBootstrap();
    await pass(0);
    expect(woken).toEqual(['one', 'other']);
    await poller.onModuleDestroy();
    poller.lookNow();
    await pass(5 * EVERY_MS);
    expect(woken).toEqual(['one', 'other']);
  });

  it('wakes all while the database does not say, without asking it again', async () => {
    let say: (due: Due) => void = () => undefined;
    answer = () => new Promise((resolve) => (say = resolve));
    poller.onApplicationBootstrap();
    await pass(EVERY_MS);
    expect(woken).toEqual(['one', 'other']);
    await pass(2.5 * EVERY_MS);
    expect(woken).toEqual(['one', 'other', 'one', 'other']);
    expect(statements).toHaveLength(1);
    answer = () => Promise.resolve([true, null]);
    say([null, null]);
    await pass(EVERY_MS);
    expect(woken.slice(4)).toEqual(['one']);
    expect(statements).toHaveLength(2);
  });

  it('wakes all while its own connection is away, and while a table is locked, of which it says nothing', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    answer = () => Promise.reject(new Error('Connection terminated'));
    poller.onApplicationBootstrap();
    await pass(0);
    expect(woken).toEqual(['one', 'other']);
    expect(logged).toHaveBeenCalledOnce();
    answer = () => Promise.reject(Object.assign(new Error('lock timeout'), { code: '55P03' }));
    await pass(EVERY_MS);
    expect(woken).toEqual(['one', 'other', 'one', 'other']);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});
