import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** SQL for the times, `at`, when one kind of work falls due; work in progress has `now`. */
export type TimesQuery = (now: string) => string | Promise<string>;

export interface TimedWork {
  readonly times: TimesQuery;
  /** For work that has only its own schedule. */
  readonly run?: () => Promise<void>;
}

interface DueLook {
  /** Unix milliseconds of `app_now()`. */
  readonly now: number;
  readonly due: readonly TimedWork[];
  /** Null when nothing will fall due. */
  readonly nextInMs: number | null;
}

/** The clock stops at each due time until its work is done. Reads all waiting work. */
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
