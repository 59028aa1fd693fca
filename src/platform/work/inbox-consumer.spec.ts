import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import type { DuePoller, DueQuery } from './due-poller.js';
import { type ClaimedEntry, InboxConsumer } from './inbox-consumer.js';

// As many as there are of an inbox whose entries are processed one by one.
const WORKERS = 6;

const tx = { execute: () => Promise.resolve(0) } as unknown as Tx;
const database = {
  transaction: (work: (tx: Tx) => Promise<unknown>) => work(tx),
} as unknown as Database;

const poller = { watch: (_: DueQuery, wake: () => void) => (poll = wake) } as unknown as DuePoller;

/** What the poller does while something waits. */
let poll: () => void;
let waiting: ClaimedEntry[];
let taken: number[];
let consumer: InboxConsumer<ClaimedEntry>;
/** Ends the looks that have seen what was waiting when they began. */
let looks: (() => void)[];
let areLooksHeld: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  [waiting, taken, looks, areLooksHeld] = [[], [], [], false];
  consumer = new InboxConsumer(database, poller, () => 0.5, {
    name: 'test',
    due: () => 'SELECT true',
    take: async () => {
      const entry = waiting.shift() ?? null;
      if (areLooksHeld) await new Promise<void>((end) => looks.push(end));
      return entry;
    },
    apply: (_, { id }) => Promise.resolve(void taken.push(id)),
    postpone: () => Promise.resolve(),
    flag: () => Promise.resolve(),
  });
});

afterEach(async () => {
  areLooksHeld = false;
  for (const end of looks) end();
  await consumer.stop();
  vi.useRealTimers();
});

async function now(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

describe('the consumer of an inbox', () => {
  it('takes up what waits when it starts, once that is found, and what it is woken for', async () => {
    waiting.push({ id: 1, attempts: 0 }, { id: 2, attempts: 0 });
    consumer.start();
    poll();
    await now();
    waiting.push({ id: 3, attempts: 0 });
    consumer.wake();
    await now();
    expect(taken.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  it('takes up what the poller has found, which nobody has woken it for', async () => {
    consumer.start();
    poll();
    await now();
    waiting.push({ id: 1, attempts: 0 });
    await now();
    expect(taken).toEqual([]);
    poll();
    await now();
    expect(taken).toEqual([1]);
  });

  it('take up at once what comes while each of them is finding nothing', async () => {
    areLooksHeld = true;
    consumer.start();
    poll();
    await now();
    for (let worker = 1; worker < WORKERS; worker += 1) {
      consumer.wake();
      await now();
    }
    expect(looks).toHaveLength(WORKERS);
    waiting.push({ id: 1, attempts: 0 });
    consumer.wake();
    await now();
    areLooksHeld = false;
    for (const end of looks.splice(0)) end();
    await now();
    expect(taken).toEqual([1]);
  });
});
