// Isolated: counts what the whole service sends.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventCursor } from '../../../src/webhooks/events/event-cursor.js';
import { DeliveryBench, SUCCESS } from './delivery-bench.js';
import { type OpenTransaction, type ReadEvent, StreamReplica } from './stream-reader.js';
import { PARTNER, someEvent } from './some-event.js';

// The stream of a partner's events, on two replicas with one database.

const DAY_MS = 86_400_000;
const SKEW_MS = 5_000;
const CHUNK = 1_000;

let bench: DeliveryBench;
let other: DeliveryBench;
let first: StreamReplica;
let second: StreamReplica;

beforeAll(async () => {
  bench = await DeliveryBench.open();
  other = await bench.replica();
  first = new StreamReplica(bench);
  second = new StreamReplica(other, SKEW_MS);
});

beforeEach(async () => {
  await bench.reset();
  await bench.database.query('TRUNCATE webhook_streams');
});

afterAll(async () => {
  await other.close();
  await bench.close();
});

const of = (journeyId: string, sequence: number) => someEvent({ journeyId, sequence });
const shown = (events: readonly ReadEvent[]) =>
  events.map(({ journeyId, sequence }) => `${journeyId} ${sequence}`);
const expired = expect.objectContaining({ code: 'cursor_expired' }) as Error;

async function publish(...names: string[]): Promise<void> {
  for (const name of names) await first.commit(of(name, 1));
}

describe('the events of a journey', () => {
  it('are placed with those before them, however few are placed at once', async () => {
    await second.commit(of('journey', 1));
    await first.commit(of('journey', 2));
    await first.commit(of('another', 1));
    await bench.database.transaction((tx) => first.streams.place(tx, PARTNER, 1));
    expect(shown(await first.readAll(null))).toEqual(['journey 1', 'journey 2', 'another 1']);
  });
});

it('a page reads the same again, and goes on where the one before ended', async () => {
  await publish('a', 'b', 'c', 'd', 'e');
  const page = await first.read(null, { limit: 2 });
  expect(page).toMatchObject({ hasMore: true });
  const next = await second.read(page.next, { limit: 2 });
  expect(shown([...page.events, ...next.events])).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
  await publish('f');
  expect(await first.read(null, { limit: 2 })).toEqual(page);
  expect(await first.read(page.next, { limit: 2 })).toEqual(next);
  expect(shown(await first.readAll(next.next, 1))).toEqual(['e 1', 'f 1']);
});

describe('events that are removed for their age', () => {
  async function age(days: number): Promise<void> {
    await bench.travel(days * DAY_MS);
    await bench.upkeep.removeEvents(CHUNK);
  }

  beforeEach(() => bench.database.query('UPDATE sandbox_clock SET offset_ms = 0'));
  afterAll(() => bench.database.query('UPDATE sandbox_clock SET offset_ms = 0'));

  it('take the cursors before them with them, and no other', async () => {
    const start = await first.read(null);
    await publish('a', 'b');
    const half = await first.read(null, { limit: 1 });
    const end = await first.read(half.next);
    await age(29);
    expect(shown((await first.read(half.next)).events)).toEqual(['b 1']);
    await age(2);
    await expect(first.read(half.next)).rejects.toEqual(expired);
    await expect(first.read(start.next)).rejects.toEqual(expired);
    expect(await first.read(end.next)).toMatchObject({ events: [], hasMore: false });
    const again = await first.read(null);
    expect(again.events).toEqual([]);
    await publish('c');
    expect(shown((await first.read(again.next)).events)).toEqual(['c 1']);
    expect(shown((await first.read(end.next)).events)).toEqual(['c 1']);
  });

  it('leave out what a delivery still needs, so that a new start goes on', async () => {
    await bench.subscribe();
    await publish('open');
    const [claim] = await bench.claims.claim();
    await first.read(null);
    await bench.database.query(
      'UPDATE webhook_subscriptions SET deleted_at = app_now(), secret_sealed = NULL',
    );
    await publish('gone');
    await first.read(null);
    await age(31);
    expect(await bench.database.query('SELECT 1 FROM webhook_events')).toHaveLength(1);
    const start = await first.read(null);
    expect(start.events).toEqual([]);
    expect((await first.read(start.next)).hasMore).toBe(false);
    await bench.finish(claim, SUCCESS);
  });
});

type Act =
  | { kind: 'open'; replica: 0 | 1 }
  | { kind: 'publish'; open: number; journey: number }
  | { kind: 'end'; open: number; isCommit: boolean }
  | { kind: 'read'; replica: 0 | 1; limit: number };

const REPLICA = fc.constantFrom<0 | 1>(0, 1);
const SMALL = fc.nat({ max: 3 });
const ACT: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), replica: REPLICA }),
  {
    arbitrary: fc.record({ kind: fc.constant('publish' as const), open: SMALL, journey: SMALL }),
    weight: 4,
  },
  fc.record({
    kind: fc.constant('end' as const),
    open: SMALL,
    isCommit: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
  }),
  {
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      replica: REPLICA,
      limit: fc.integer({ min: 1, max: 4 }),
    }),
    weight: 2,
  },
);

interface Open {
  readonly transaction: OpenTransaction;
  readonly replica: StreamReplica;
  readonly written: string[];
}

class Walk {
  readonly read: string[] = [];
  readonly committed: string[] = [];
  private readonly open: Open[] = [];
  private readonly sequences = [0, 0, 0, 0];
  private cursor: EventCursor | null = null;

  async act(act: Act): Promise<void> {
    if (act.kind === 'read') return this.readOn(act.replica, act.limit);
    if (act.kind === 'open') return this.begin(act.replica);
    const one = this.open[act.open % Math.max(1, this.open.length)];
    if (!one) return;
    if (act.kind === 'end') return this.end(one, act.isCommit);
    const name = `j${act.journey}`;
    // A journey's row is locked until the commit.
    if (this.open.some((open) => open !== one && open.written.some((row) => row.startsWith(name))))
      return;
    const sequence = (this.sequences[act.journey] += 1);
    await one.replica.publish(one.transaction.tx, of(name, sequence));
    one.written.push(`${name} ${sequence}`);
  }

  async finish(): Promise<void> {
    while (this.open.length > 0) await this.end(this.open[0], true);
    await this.readOn(0, 100);
    await this.readOn(1, 100);
  }

  private async begin(replica: 0 | 1): Promise<void> {
    const on = replica === 0 ? first : second;
    // A replica has four connections, and reads need one.
    if (this.open.filter((one) => one.replica === on).length === 2) return;
    const transaction = await on.open();
    // Assigns the transaction its place in the order.
    await transaction.tx.query('SELECT pg_current_xact_id()');
    this.open.push({ transaction, replica: on, written: [] });
  }

  private async end(one: Open, isCommit: boolean): Promise<void> {
    this.open.splice(this.open.indexOf(one), 1);
    if (isCommit) {
      await one.transaction.commit();
      this.committed.push(...one.written);
      return;
    }
    await one.transaction.rollBack();
    for (const row of one.written) this.sequences[Number(row[1])] -= 1;
  }

  private async readOn(replica: 0 | 1, limit: number): Promise<void> {
    const page = await (replica === 0 ? first : second).read(this.cursor, { limit });
    this.read.push(...shown(page.events));
    this.cursor = page.next;
  }
}

it('whatever is committed when, a partner that reads on gets each event once, a journey’s in order', async () => {
  const walks = fc.asyncProperty(fc.array(ACT, { minLength: 10, maxLength: 60 }), async (acts) => {
    await bench.reset();
    await bench.database.query('TRUNCATE webhook_streams');
    const walk = new Walk();
    try {
      for (const act of acts) await walk.act(act);
    } finally {
      await walk.finish();
    }
    expect(walk.read.toSorted()).toEqual(walk.committed.toSorted());
    for (const name of ['j0', 'j1', 'j2', 'j3']) {
      const ofJourney = (rows: string[]) => rows.filter((row) => row.startsWith(name));
      expect(ofJourney(walk.read)).toEqual(ofJourney(walk.committed));
    }
    expect(shown(await second.readAll(null, 3))).toEqual(walk.read);
  });
  await fc.assert(walks, { numRuns: 30 });
}, 120_000);
