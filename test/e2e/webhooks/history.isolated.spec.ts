// Isolated: detaches the partitions of whole tables, on two replicas at once.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { keyAt, rangesFrom } from '../../../src/partitions/partitioned-table.js';
import { PartitionsRepository } from '../../../src/partitions/store/partitions.repository.js';
import { HistoryTasks } from '../../../src/webhooks/webhooks.tasks.js';
import { ATTEMPT_WEEKS } from '../../../src/webhooks/store/delivery-upkeep.repository.js';
import { ATTEMPTS } from '../../../src/webhooks/store/event-histories.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const DAYS_KEPT = 30;
const SUBSCRIPTION = `sub_${'0'.repeat(32)}`;

let replicas: TwoReplicas;
let service: TestService;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  service = replicas.first;
  await query(
    `INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
     VALUES ($1, 'demo', 'https://partner.example/hooks', 'sealed', app_now())`,
    [SUBSCRIPTION],
  );
});

beforeEach(async () => {
  await query('TRUNCATE webhook_attempts, webhook_deliveries');
  await keep();
});

afterAll(() => replicas.close());

function query<Row extends Record<string, unknown>>(
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return service.get<Database>(Database).query<Row>(sql, values);
}

async function keep(of: TestService = service): Promise<void> {
  await of.get<HistoryTasks>(HistoryTasks).keepWeeks();
}

/** The beginning of the week that is so many weeks from this one. */
function week(offset = 0): number {
  return (Math.floor(service.now().getTime() / WEEK_MS) + offset) * WEEK_MS;
}

function nameOf(start: number): string {
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
  return `webhook_attempts_${day}`;
}

/** Moves on to a moment. */
function travelTo(time: number): Promise<void> {
  return replicas.travel(time - service.now().getTime());
}

async function partitions(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = 'webhook_attempts'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

function idAt(prefix: string, time: number): string {
  return `${prefix}_${time.toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`;
}

/** An attempt at a delivery of a moment; the delivery is there still where it says so. */
async function attempt({ at = service.now().getTime(), isThere = false } = {}): Promise<string> {
  const id = idAt('dlv', at);
  if (isThere) await deliver([id]);
  await query(
    `INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms)
     VALUES ($1, 1, 'demo', app_now(), 7)`,
    [id],
  );
  return id;
}

/** Deliveries that were just finished after an attempt, each of an event of its own. */
async function deliver(ids: readonly string[]): Promise<void> {
  await query(
    `WITH event AS (
       INSERT INTO webhook_events (id, partner_id, name, body, created_at)
       SELECT 'evt_' || right(id, 32), 'demo', 'webhook.endpoint_failing', '{}', app_now()
       FROM unnest($1::text[]) AS given (id)
     )
     INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, attempts,
       created_at, finished_at)
     SELECT id, 'demo', $2, 'evt_' || right(id, 32), 'SUCCEEDED', 1, app_now(), app_now()
     FROM unnest($1::text[]) AS given (id)`,
    [ids, SUBSCRIPTION],
  );
}

/** The partition that the attempts of a delivery stand in; null when there are none. */
async function partitionOf(id: string): Promise<string | null> {
  const rows = await query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM webhook_attempts WHERE delivery_id = $1',
    [id],
  );
  return rows.length === 0 ? null : rows[0].name;
}

function repository(): PartitionsRepository {
  return service.get<PartitionsRepository>(PartitionsRepository);
}

async function make(start: number): Promise<void> {
  const [range] = rangesFrom(ATTEMPT_WEEKS, start);
  expect(await repository().make(ATTEMPT_WEEKS, range)).toBe(true);
}

/** Drops the partitions of these weeks, however old they are. */
async function dropTogether(starts: readonly number[]): Promise<boolean> {
  const names = starts.map(nameOf);
  const made = await repository().list(ATTEMPT_WEEKS);
  return repository().drop(
    ATTEMPT_WEEKS,
    made.filter(({ name }) => names.includes(name)),
  );
}

/** Those of these weeks whose partition is there. */
async function left(starts: readonly number[]): Promise<string[]> {
  const names = starts.map(nameOf);
  return (await partitions()).filter((name) => names.includes(name));
}

/** Somebody who reads a partition for long: a backup, say. */
function reading(name: string): Promise<HeldLock> {
  return HeldLock.take(service.databaseUrl, `LOCK TABLE ${name} IN ACCESS SHARE MODE`);
}

async function flags(): Promise<boolean[]> {
  const rows = await query<{ open: boolean }>(
    `SELECT resolved_at IS NULL AS open FROM operator_flags
     WHERE kind = 'PARTITION_MISSING' AND subject_id = 'webhook_attempts' ORDER BY id`,
  );
  return rows.map(({ open }) => open);
}

const REST = 'webhook_attempts_rest';

describe('the weeks of the log of attempts', () => {
  it('are each made once by two replicas at once', async () => {
    await replicas.travel(3 * WEEK_MS);
    const [range] = rangesFrom(ATTEMPT_WEEKS, service.now().getTime() + 2 * WEEK_MS);
    const outcomes = await Promise.all(
      [service, replicas.second].map((one) =>
        one.get<PartitionsRepository>(PartitionsRepository).make(ATTEMPT_WEEKS, range),
      ),
    );
    expect(outcomes).toEqual([true, true]);
    await Promise.all([keep(), keep(replicas.second)]);
    expect(await partitions()).toEqual(
      [-3, -2, -1, 0, 1, 2].map((at) => nameOf(week(at))).concat(REST),
    );
  });

  it('take over what was logged while there was none', async () => {
    await replicas.travel(20 * WEEK_MS);
    const id = await attempt();
    expect(await partitionOf(id)).toBe(REST);
    await keep();
    expect(await partitionOf(id)).toBe(nameOf(week()));
    expect(await partitions()).toEqual([0, 1, 2].map((at) => nameOf(week(at))).concat(REST));
  });

  it('are made while attempts are logged, none of which is refused', async () => {
    const pass = { isOver: false };
    const loggedUntilOver = async () => {
      while (!pass.isOver) await attempt();
    };
    for (let turn = 0; turn < 2; turn += 1) {
      await replicas.travel(4 * WEEK_MS);
      pass.isOver = false;
      const logging = Promise.all([loggedUntilOver(), loggedUntilOver(), loggedUntilOver()]);
      // What a pass finds busy it leaves to the next one.
      try {
        await eventually(async () => {
          await keep();
          expect(await partitions()).toContain(nameOf(week()));
        });
      } finally {
        pass.isOver = true;
      }
      await logging;
      expect(await partitionOf(await attempt())).toBe(nameOf(week()));
    }
  });

  it('are dropped whole when every attempt in them is over thirty days old, and not before', async () => {
    const name = nameOf(week());
    const id = await attempt({ at: week(1) - 1 });
    await travelTo(week(1) + DAYS_KEPT * DAY_MS - 60_000);
    await keep();
    expect(await partitionOf(id)).toBe(name);
    await replicas.travel(120_000);
    await keep();
    expect(await partitionOf(id)).toBeNull();
    expect(await partitions()).not.toContain(name);
  });

  it('leave the attempts of a delivery that is there still, until it has gone', async () => {
    const [kept, gone] = [await attempt({ isThere: true }), await attempt()];
    const name = nameOf(week());
    await travelTo(week(1) + DAYS_KEPT * DAY_MS + 60_000);
    await keep();
    expect(await partitions()).not.toContain(name);
    expect(await partitionOf(kept)).toBe(REST);
    expect(await partitionOf(gone)).toBeNull();
    await keep();
    expect(await partitionOf(kept)).toBe(REST);
    await query('DELETE FROM webhook_deliveries');
    await keep();
    expect(await partitionOf(kept)).toBeNull();
  });

  it('come after what was there before them, which is emptied by rows until it goes whole', async () => {
    const earlier = 'webhook_attempts_earlier';
    await replicas.travel(20 * WEEK_MS);
    await keep();
    const bound = week();
    await query(`CREATE TABLE ${earlier} (LIKE webhook_attempts INCLUDING ALL)`);
    await query(`ALTER TABLE webhook_attempts ATTACH PARTITION ${earlier}
      FOR VALUES FROM (MINVALUE) TO ('${keyAt(ATTEMPT_WEEKS, bound)}')`);
    const [kept, gone, young] = [
      await attempt({ at: week(-10), isThere: true }),
      await attempt({ at: week(-10) }),
      await attempt({ at: week() - 1 }),
    ];
    await keep();
    expect(await partitionOf(kept)).toBe(earlier);
    expect(await partitionOf(gone)).toBeNull();
    expect(await partitionOf(young)).toBe(earlier);
    await travelTo(bound + DAYS_KEPT * DAY_MS + 60_000);
    await keep();
    expect(await partitions()).not.toContain(earlier);
    expect(await partitionOf(kept)).toBe(REST);
    expect(await partitionOf(young)).toBeNull();
  });

  it('wait while somebody reads them, and keep nobody else from it', async () => {
    const name = nameOf(week());
    const id = await attempt();
    await travelTo(week(1) + DAYS_KEPT * DAY_MS + 60_000);
    const reader = await reading(name);
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      // Far more than a pass may keep it waiting.
      await other.query(`SET lock_timeout = '2s'`);
      const pass = keep();
      for (let turn = 0; turn < 20; turn += 1) {
        await other.query('SELECT FROM webhook_attempts WHERE delivery_id = $1', [id]);
        await sleep(50);
      }
      await pass;
      expect(await partitionOf(id)).toBe(name);
    } finally {
      await other.end();
      await reader.release();
    }
    await keep();
    expect(await partitions()).not.toContain(name);
  });

  it('stay all of them, dropped together, while one is read', async () => {
    const at = [week(), week(1)];
    const reader = await reading(nameOf(at[1]));
    try {
      expect(await dropTogether(at)).toBe(false);
      expect(await left(at)).toEqual(at.map(nameOf));
    } finally {
      await reader.release();
    }
    expect(await dropTogether(at)).toBe(true);
    expect(await left(at)).toEqual([]);
  });

  it('go while two replicas drop them, each a few at a time', async () => {
    const at = Array.from({ length: 12 }, (_, weeks) => week(weeks));
    for (const time of at) await make(time);
    const kept = await Promise.all(at.map((time) => attempt({ at: time, isThere: true })));
    const gone = await Promise.all(at.map((time) => attempt({ at: time })));
    await travelTo(week(12) + DAYS_KEPT * DAY_MS + 60_000);
    await Promise.all([keep(), keep(replicas.second)]);
    // What they have found busy, the machine being so, is the next pass's.
    await keep();
    expect(await left(at)).toEqual([]);
    expect(new Set(await Promise.all(kept.map(partitionOf)))).toEqual(new Set([REST]));
    expect(new Set(await Promise.all(gone.map(partitionOf)))).toEqual(new Set([null]));
  });

  it.each([
    [
      'somebody reads for long',
      async (name: string) => {
        const reader = await reading(name);
        return () => reader.release();
      },
    ],
    [
      'something else depends on',
      async (name: string) => {
        await query(`CREATE VIEW of_an_operator AS SELECT FROM ${name}`);
        return () => query('DROP VIEW of_an_operator');
      },
    ],
  ])('go without the one of them that %s, until nothing keeps it', async (_, hold) => {
    const [stays, goes] = [nameOf(week()), nameOf(week(1))];
    await travelTo(week(2) + DAYS_KEPT * DAY_MS + 60_000);
    const release = await hold(stays);
    try {
      await keep();
      expect(await partitions()).toContain(stays);
      expect(await partitions()).not.toContain(goes);
    } finally {
      await release();
    }
    await keep();
    expect(await partitions()).not.toContain(stays);
  });

  it('are asked for of the operator when this week’s cannot be made, until it is', async () => {
    // Of a week that was busy in an earlier test.
    await query(`DELETE FROM operator_flags WHERE kind = 'PARTITION_MISSING'`);
    await replicas.travel(20 * WEEK_MS);
    const reader = await reading(REST);
    try {
      await keep();
      await keep();
      expect(await flags()).toEqual([true]);
      expect(await partitionOf(await attempt())).toBe(REST);
    } finally {
      await reader.release();
    }
    await keep();
    expect(await flags()).toEqual([false]);
    expect(await partitions()).toContain(nameOf(week()));
  });
});

describe('what a statement reads of the log', () => {
  const plan = async (sql: string, values: unknown[]) => {
    const rows = await query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${sql}`,
      values,
    );
    const lines = rows
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /webhook_attempts/.test(line));
    return lines.filter((line) => !line.includes('never executed')).join('\n');
  };
  const names = (text: string) =>
    new Set(text.match(/webhook_attempts_(?:\d{8}|rest)(?=\b|_pkey)/g));

  it('is the one week of its deliveries: the attempts of a page', async () => {
    const id = await attempt();
    expect(names(await plan(ATTEMPTS, [[id], 10, 'demo']))).toEqual(new Set([nameOf(week())]));
  });
});
