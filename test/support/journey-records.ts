import { Pool, type QueryResultRow } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';

/** Journeys in the database, which proves whether something happened once. */
export class JourneyRecords {
  private readonly pool: Pool;

  constructor(databaseUrl: string) {
    this.pool = new Pool({ connectionString: databaseUrl, max: 3 });
    this.pool.on('error', () => undefined);
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  async query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  async state(journeyId: string): Promise<string> {
    const [row] = await this.query<{ state: string }>('SELECT state FROM journeys WHERE id = $1', [
      journeyId,
    ]);
    return row.state;
  }

  async trail(journeyId: string): Promise<string[]> {
    const rows = await this.query<{ trigger: string }>(
      `SELECT trigger FROM journey_audit
       WHERE journey_id = $1 AND trigger <> 'KEY_FACTS_ACKNOWLEDGED' ORDER BY id`,
      [journeyId],
    );
    return rows.map(({ trigger }) => trigger);
  }

  async events(journeyId: string): Promise<string[]> {
    const rows = await this.query<{ event: string }>(
      `SELECT sequence || ' ' || name AS event FROM webhook_events
       WHERE journey_id = $1 ORDER BY sequence`,
      [journeyId],
    );
    return rows.map(({ event }) => event);
  }

  async intents(journeyId: string): Promise<{ kind: string; status: string; fence: number }[]> {
    return this.query(
      `SELECT kind, status, fence::int FROM journey_intents WHERE journey_id = $1 ORDER BY id`,
      [journeyId],
    );
  }

  async offers(journeyId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      'SELECT count(*)::int FROM journey_offers WHERE journey_id = $1',
      [journeyId],
    );
    return row.count;
  }

  async questions(
    subjectId: string,
    kind: string,
  ): Promise<{ lender: string; status: string; attempts: number; isLeased: boolean }[]> {
    return this.query(
      `SELECT lender_code AS lender, status, attempts,
         coalesce(lease_until > app_now(), false) AS "isLeased"
       FROM lender_questions WHERE subject_id = $1 AND kind = $2 ORDER BY lender_code`,
      [subjectId, kind],
    );
  }

  async inbox(subjectId: string): Promise<{ waiting: number; consumed: number }> {
    const [row] = await this.query<{ waiting: number; consumed: number }>(
      `SELECT count(*) FILTER (WHERE consumed_at IS NULL)::int AS waiting,
         count(*) FILTER (WHERE consumed_at IS NOT NULL)::int AS consumed
       FROM lender_inbox WHERE subject_id = $1`,
      [subjectId],
    );
    return row;
  }

  async flags(subjectId: string): Promise<string[]> {
    const rows = await this.query<{ kind: string }>(
      'SELECT kind FROM operator_flags WHERE subject_id = $1 ORDER BY id',
      [subjectId],
    );
    return rows.map(({ kind }) => kind);
  }

  async travel(milliseconds: number): Promise<void> {
    await this.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [milliseconds]);
  }

  async untilNobodyIsConnected(name = 'rinpath'): Promise<void> {
    await eventually(
      async () => {
        const [row] = await this.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = $1`,
          [name],
        );
        return row.count === 0;
      },
      { withinMs: 15_000 },
    );
  }
}

/** The records of the file's service; closed after the file. */
export function recordsOf(service: TestService): JourneyRecords {
  const records = Object.create(JourneyRecords.prototype) as JourneyRecords;
  beforeAll(() => void Object.assign(records, new JourneyRecords(service.databaseUrl)));
  afterAll(() => records.close());
  return records;
}
