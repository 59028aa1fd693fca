import { Client, type QueryResultRow } from 'pg';
import { eventually } from './eventually.js';

const FIRST_KEY = 59_000;

/** A statement of another session that waits for a lock now. */
export interface WaitingStatement {
  readonly pid: number;
  readonly name: string;
  readonly sql: string;
}

/** A lock on a service's database, held in its own transaction, so that the service stops at exactly that line. */
export class HeldLock {
  private static writes = 0;

  private constructor(private readonly client: Client) {}

  static async take(databaseUrl: string, sql: string, values: unknown[] = []): Promise<HeldLock> {
    const client = new Client({ connectionString: databaseUrl });
    // After a failed test the database is dropped while the lock is held.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    const { command, rowCount } = await client.query(sql, values);
    // A lock on no row would let a test pass without effect.
    if (command === 'SELECT' && rowCount === 0) throw new Error(`nothing to lock: ${sql}`);
    return new HeldLock(client);
  }

  /**
   * Stops every transaction that writes certain rows, from now on.
   * @param write as in a trigger: `BEFORE UPDATE ON journeys`
   * @param condition in SQL, on `NEW`
   */
  static async atWrite(databaseUrl: string, write: string, condition: string): Promise<HeldLock> {
    HeldLock.writes += 1;
    const key = FIRST_KEY + HeldLock.writes;
    const lock = await HeldLock.take(databaseUrl, 'SELECT pg_advisory_xact_lock($1)', [key]);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(`
        CREATE OR REPLACE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(TG_ARGV[0]::bigint); RETURN NEW; END $$`);
      await client.query(
        `CREATE TRIGGER stand_still_${key} ${write} FOR EACH ROW WHEN (${condition})
         EXECUTE FUNCTION stand_still(${key})`,
      );
    } finally {
      await client.end();
    }
    return lock;
  }

  waiting(about: string, atLeast = 1): Promise<WaitingStatement[]> {
    return eventually(
      async () => {
        // Within a transaction pg_stat_activity is a snapshot until it is cleared.
        await this.client.query('SELECT pg_stat_clear_snapshot()');
        const waiting = await this.query<{ pid: number; name: string; sql: string }>(
          `SELECT pid, application_name AS name, query AS sql FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()
             AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
          [about],
        );
        if (waiting.length >= atLeast) return waiting;
        throw new Error(`${waiting.length} statements about ${about} wait, not ${atLeast}`);
      },
      { withinMs: 25_000 },
    );
  }

  async query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(sql, values)).rows;
  }

  async release({ keep = false } = {}): Promise<void> {
    await this.client.query(keep ? 'COMMIT' : 'ROLLBACK');
    await this.client.end();
  }
}
