import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { DuePoller } from './due-poller.js';
import type { DueWork, TimesQuery } from './due-work.js';

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
  private readonly scheduled: TimedWork[] = [];

  constructor(
    private readonly database: Database,
    private readonly poller: DuePoller,
  ) {}

  /** For work that the poller does not watch. */
  watch(times: TimesQuery, run: () => Promise<void>): void {
    this.scheduled.push({ times, run });
  }

  async look(): Promise<DueLook> {
    const now = '(SELECT now FROM moment)';
    const works = [...this.poller.works.filter(isTimed), ...this.scheduled];
    const queries = await Promise.all(works.map(({ times }) => Promise.resolve(times(now))));
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
    return { ...row, due: row.due.map((place) => works[place]) };
  }
}

function isTimed(work: DueWork): work is DueWork & TimedWork {
  return work.times !== undefined;
}
