import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/**
 * A query of the moments, `at`, at which something of one kind falls due. What somebody is working on has `now`,
 * an expression of SQL: it is due until it is done.
 */
export type TimesQuery = (now: string) => string | Promise<string>;

export interface TimedWork {
  readonly times: TimesQuery;
  /** Does what is due, for work that nothing but its own schedule begins. */
  readonly run?: () => Promise<void>;
}

/** What the work of all replicas waits for. */
export interface DueLook {
  /** Milliseconds since the Unix epoch, as `app_now()` says. */
  readonly now: number;
  readonly due: readonly TimedWork[];
  /** In how many milliseconds the next falls due after now; null when nothing will. */
  readonly nextInMs: number | null;
}

/**
 * Knows when what waits falls due, for a sandbox whose time is moved: its clock stops at each such moment until what
 * is due then is done. It reads everything that waits, which is little in a sandbox; nothing else asks it.
 */
@Injectable()
export class DueTimes {
  private readonly watched: TimedWork[] = [];

  constructor(private readonly database: Database) {}

  watch(...work: readonly TimedWork[]): void {
    this.watched.push(...work);
  }

  async look(): Promise<DueLook> {
    const now = '(SELECT now FROM moment)';
    const queries = await Promise.all(this.watched.map(({ times }) => Promise.resolve(times(now))));
    const waiting = queries.map(
      (query, place) => `SELECT ${place} AS place, at FROM (${query}) AS w`,
    );
    const [row] = await this.database.query<{
      now: number;
      due: number[];
      nextInMs: number | null;
    }>(
      `WITH moment AS MATERIALIZED (SELECT app_now() AS now),
       waiting AS (
         SELECT place, at FROM (${waiting.join(' UNION ALL ')}) AS all_kinds WHERE at IS NOT NULL
       )
       SELECT (extract(epoch FROM moment.now) * 1000)::float8 AS now,
         ARRAY(SELECT DISTINCT place FROM waiting WHERE at <= moment.now) AS due,
         (SELECT ceil(extract(epoch FROM min(at) - moment.now) * 1000) FROM waiting
          WHERE at > moment.now)::float8 AS "nextInMs"
       FROM moment`,
    );
    return { ...row, due: row.due.map((place) => this.watched[place]) };
  }
}
