import { Injectable } from '@nestjs/common';
import { Database, isWorthRetrying, type Queries, type Tx } from '../../platform/index.js';
import {
  keyAt,
  keyBeforeAll,
  type PartitionedTable,
  partitionName,
  defaultPartitionOf,
  type TimeRange,
} from '../partitioned-table.js';

/** Users of the table wait this long. */
const LOCK_MS = 50;
/** Waiting holds a connection. */
const TURN_MS = 1_000;
/** Other transactions wait meanwhile. */
const MAX_MOVED = 2_000;
/** From dropped partitions; those with more remain. */
const MAX_CARRIED = 500;

/** In milliseconds; null: open. */
export interface Partition {
  readonly name: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly isRest: boolean;
}

interface Needed {
  readonly name: string;
  readonly keys: readonly string[];
}

/** Waits briefly for locks: a busy table is left to the next pass. */
@Injectable()
export class PartitionsRepository {
  constructor(private readonly database: Database) {}

  /** The database's clock (`app_now()`), in milliseconds. */
  async now(): Promise<number> {
    const [row] = await this.database.query<{ now: number }>(
      'SELECT extract(epoch FROM app_now())::float8 * 1000 AS now',
    );
    return row.now;
  }

  list(table: PartitionedTable, tx: Queries = this.database): Promise<Partition[]> {
    return tx.query(listOf(table), [table.name]);
  }

  /**
   * Only the attachment blocks writers, and readers of the rest.
   * @returns false while the table is busy, or the rest has too many such rows
   */
  make(table: PartitionedTable, range: TimeRange): Promise<boolean> {
    return this.inTurn(table, async (tx) => {
      if ((await this.list(table, tx)).some((one) => overlaps(one, range))) return true;
      const [name, rest] = [partitionName(table, range), defaultPartitionOf(table)];
      const ends = [keyAt(table, range.from), keyAt(table, range.to)];
      await tx.query(`CREATE TABLE ${name} (LIKE ${table.name} INCLUDING ALL)`);
      // After the attachment PostgreSQL refuses a concurrent insert into the rest.
      await tx.query(`LOCK TABLE ONLY ${table.name} IN SHARE ROW EXCLUSIVE MODE`);
      await tx.query(`LOCK TABLE ${rest} IN ACCESS EXCLUSIVE MODE`);
      const moved = await tx.execute(movedTo(table, name), ends);
      if (moved > MAX_MOVED) throw new TooManyRows();
      await tx.query(
        `ALTER TABLE ${table.name} ATTACH PARTITION ${name}
         FOR VALUES FROM ('${ends[0]}') TO ('${ends[1]}')`,
      );
      return true;
    });
  }

  /**
   * Drops all or none. Needed rows move to the rest.
   * @returns false while the table is busy, or too many rows are needed
   */
  async drop(table: PartitionedTable, partitions: readonly Partition[]): Promise<boolean> {
    // Without a lock: most are needed for many passes.
    if (isTooMany(await this.neededIn(table, partitions))) return false;
    return this.inTurn(table, async (tx) => {
      const there = new Set((await this.list(table, tx)).map(({ name }) => name));
      const left = partitions.filter(({ name }) => there.has(name));
      if (left.length === 0) return true;
      const names = left.map(({ name }) => name).join(', ');
      await tx.query(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`);
      const needed = await this.neededIn(table, left, tx);
      if (isTooMany(needed)) throw new TooManyRows();
      // Locked before the table, so that its users do not wait behind readers of these partitions. PostgreSQL locks the
      // rest too: its constraint changes.
      await tx.query(`LOCK TABLE ${names}, ${defaultPartitionOf(table)} IN ACCESS EXCLUSIVE MODE`);
      await tx.query(`LOCK TABLE ONLY ${table.name} IN ACCESS EXCLUSIVE MODE`);
      for (const { name, keys } of needed) {
        await tx.query(`ALTER TABLE ${table.name} DETACH PARTITION ${name}`);
        await tx.execute(
          `INSERT INTO ${table.name} SELECT * FROM ${name} WHERE ${table.key.column} = ANY ($1)`,
          [keys],
        );
      }
      await tx.query(`DROP TABLE ${names}`);
      return true;
    });
  }

  /**
   * @param after end of the last chunk
   * @param until rows from here on are kept
   * @returns end of this chunk; null after the last
   */
  async sweep(
    table: PartitionedTable,
    { name }: Partition,
    { after, until, most }: { after: string; until: number; most: number },
  ): Promise<string | null> {
    const [{ last, looked }] = await this.database.query<{ last: string | null; looked: number }>(
      lookedAt(table, name),
      [after, keyAt(table, until), most],
    );
    if (last === null) return null;
    await this.database.query(sweptOf(table, name), [after, last]);
    return looked < most ? null : last;
  }

  private async neededIn(
    table: PartitionedTable,
    partitions: readonly Partition[],
    tx: Queries = this.database,
  ): Promise<Needed[]> {
    if (table.stillNeeded === undefined) return [];
    const sql = `${table.stillNeeded} LIMIT ${MAX_CARRIED + 1}`;
    const needed: Needed[] = [];
    for (const { name, from, to } of partitions) {
      const values = [from === null ? keyBeforeAll(table) : keyAt(table, from), keyAt(table, to!)];
      const keys = await tx.column<string>(sql, values);
      if (keys.length > 0) needed.push({ name, keys });
    }
    return needed;
  }

  /** One replica at a time, without waiting for the table. */
  private async inTurn(
    { name }: PartitionedTable,
    work: (tx: Tx) => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await this.database.transaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = ${TURN_MS}`);
        await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `partitions ${name}`,
        ]);
        await tx.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
        return work(tx);
      });
    } catch (error) {
      if (error instanceof TooManyRows || isWorthRetrying(error)) return false;
      throw error;
    }
  }
}

/** Rolls back: other transactions would wait too long. */
class TooManyRows extends Error {}

function isTooMany(needed: readonly Needed[]): boolean {
  return needed.reduce((count, { keys }) => count + keys.length, 0) > MAX_CARRIED;
}

function overlaps({ from, to, isRest }: Partition, range: TimeRange): boolean {
  return !isRest && (from ?? -Infinity) < range.to && (to ?? Infinity) > range.from;
}

/** PostgreSQL returns the ends only as text. */
function end({ key: { idPrefix } }: PartitionedTable, which: 'FROM' | 'TO'): string {
  return idPrefix === null
    ? `extract(epoch FROM substring(bound.text FROM '${which} \\(''([^'']+)')::timestamptz) * 1000`
    : `('x' || substring(bound.text FROM '${which} \\(''[a-z]+_([0-9a-f]{12})'))::bit(48)::bigint`;
}

function listOf(table: PartitionedTable): string {
  return `
    SELECT c.relname AS name, bound.text = 'DEFAULT' AS "isRest",
      (${end(table, 'FROM')})::float8 AS "from", (${end(table, 'TO')})::float8 AS "to"
    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS text) AS bound
    WHERE i.inhparent = to_regclass($1) ORDER BY 4 NULLS LAST`;
}

function movedTo(table: PartitionedTable, name: string): string {
  const { column } = table.key;
  return `
    WITH moved AS (
      DELETE FROM ONLY ${defaultPartitionOf(table)} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ONLY ${defaultPartitionOf(table)} WHERE ${column} >= $1 AND ${column} < $2
        LIMIT ${MAX_MOVED + 1}))
      RETURNING *
    )
    INSERT INTO ${name} SELECT * FROM moved`;
}

function lookedAt({ key: { column } }: PartitionedTable, name: string): string {
  return `
    SELECT max(key)::text AS last, count(*)::int AS looked FROM (
      SELECT ${column} AS key FROM ONLY ${name} WHERE ${column} > $1 AND ${column} < $2
      ORDER BY ${column} LIMIT $3
    ) AS looked`;
}

/** One statement, so it sees all or none of a concurrent write. */
function sweptOf({ key: { column }, stillNeeded }: PartitionedTable, name: string): string {
  const needed = stillNeeded === undefined ? '' : `AND ${column} <> ALL (ARRAY(${stillNeeded}))`;
  return `DELETE FROM ONLY ${name} WHERE ${column} > $1 AND ${column} <= $2 ${needed}`;
}
