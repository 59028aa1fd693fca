// Isolated: detaches the partitions of whole tables.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { HistoryTasks } from '../../../src/webhooks/webhooks.tasks.js';
import { HeldLock } from '../../support/held-lock.js';
import { startService } from '../../support/service.js';
import { ofFile } from '../../support/of-file.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const DAYS_KEPT = 30;
const SUBSCRIPTION = `sub_${'0'.repeat(32)}`;

const service = ofFile(() => startService());

beforeAll(async () => {
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

function query<Row extends Record<string, unknown>>(
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return service.get<Database>(Database).query<Row>(sql, values);
}

async function keep(): Promise<void> {
  await service.get<HistoryTasks>(HistoryTasks).keepWeeks();
}

function week(offset = 0): number {
  return (Math.floor(service.now().getTime() / WEEK_MS) + offset) * WEEK_MS;
}

function nameOf(start: number): string {
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
  return `webhook_attempts_${day}`;
}

function travelTo(time: number): Promise<void> {
  return service.travel(time - service.now().getTime());
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

async function partitionOf(id: string): Promise<string | null> {
  const rows = await query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM webhook_attempts WHERE delivery_id = $1',
    [id],
  );
  return rows.length === 0 ? null : rows[0].name;
}

function reading(name: string): Promise<HeldLock> {
  return HeldLock.take(service.databaseUrl, `LOCK TABLE ${name} IN ACCESS SHARE MODE`);
}

const REST = 'webhook_attempts_rest';

describe('the weeks of the log of attempts', () => {
  it('take over what was logged while there was none', async () => {
    await service.travel(20 * WEEK_MS);
    const id = await attempt();
    expect(await partitionOf(id)).toBe(REST);
    await keep();
    expect(await partitionOf(id)).toBe(nameOf(week()));
    expect(await partitions()).toEqual([0, 1, 2].map((at) => nameOf(week(at))).concat(REST));
  });

  it('are dropped whole when every attempt in them is over thirty days old, and not before', async () => {
    const name = nameOf(week());
    const id = await attempt({ at: week(1) - 1 });
    await travelTo(week(1) + DAYS_KEPT * DAY_MS - 60_000);
    await keep();
    expect(await partitionOf(id)).toBe(name);
    await service.travel(120_000);
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

  it('wait while a transaction reads them, and keep no other reader waiting', async () => {
    const name = nameOf(week());
    const id = await attempt();
    await travelTo(week(1) + DAYS_KEPT * DAY_MS + 60_000);
    const reader = await reading(name);
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      // A pass may block a read only for much less than this.
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

  it('go without the one of them that something else depends on, until nothing keeps it', async () => {
    const [stays, goes] = [nameOf(week()), nameOf(week(1))];
    await travelTo(week(2) + DAYS_KEPT * DAY_MS + 60_000);
    await query(`CREATE VIEW of_an_operator AS SELECT FROM ${stays}`);
    await keep();
    expect(await partitions()).toContain(stays);
    expect(await partitions()).not.toContain(goes);
    await query('DROP VIEW of_an_operator');
    await keep();
    expect(await partitions()).not.toContain(stays);
  });
});
