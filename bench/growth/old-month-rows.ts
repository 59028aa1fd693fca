import { built } from '../support/built-service.ts';
import type { ServiceParts } from '../support/service-parts.ts';
import { ATTEMPTS, CALLS, type Partitioned } from './partitions.ts';

type History = typeof import('../../src/webhooks/webhooks.tasks.js');
type Log = typeof import('../../src/request-log/request-log.module.js');

/** A month of a partitioned table. */
export interface OldMonth {
  readonly name: string;
  table(): Promise<Partitioned>;
  /** One pass of the service's own upkeep. */
  keep(parts: ServiceParts): Promise<void>;
  /** Writes the rows of `$3` journeys between two times (`$1`, `$2`). */
  readonly sql: string;
}

const SPREAD = `
  SELECT n, date_trunc('milliseconds', $1::timestamptz
    + (n + 0.5) / $3::bigint * ($2::timestamptz - $1::timestamptz)) AS at
  FROM generate_series(0, $3::bigint - 1) AS n`;

const hexOf = (at: string, seed: string) =>
  `lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || left(md5(${seed}), 19)`;

export const OLD_MONTHS: readonly OldMonth[] = [
  {
    name: 'attempts',
    table: ATTEMPTS,
    keep: async (parts) => {
      const { HistoryTasks } = await built<History>('src/webhooks/webhooks.tasks.js');
      await parts.get(HistoryTasks).keepWeeks();
    },
    // Two events of two thirds of the journeys were delivered at once.
    sql: `
      INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms,
        response_status, response_excerpt)
      SELECT 'dlv_' || ${hexOf('at', "n::text || '-' || k")}, 1, 'other-0', at, 3, 200, 'ok'
      FROM (${SPREAD}) AS made, generate_series(1, 2) AS k WHERE n % 3 > 0`,
  },
  {
    name: 'calls',
    table: CALLS,
    keep: async (parts) => {
      const { RequestLogTasks } = await built<Log>('src/request-log/request-log.module.js');
      await parts.get(RequestLogTasks).keepDays();
    },
    // Four of each journey.
    sql: `
      INSERT INTO partner_requests (partner_id, at, id, key_id, method, route, path, subject_id,
        status, duration_us, is_authenticated)
      SELECT 'demo', at, (${hexOf('at', "n::text || '-' || k")})::uuid, 'key_of_bench',
        CASE k WHEN 0 THEN 'POST' ELSE 'GET' END,
        CASE k WHEN 0 THEN '/journey/initiate' ELSE '/journey/:journeyId' END,
        '/api/v1/partner/journey/jrn_' || md5(n::text), 'jrn_' || md5(n::text), 200, 4000, true
      FROM (${SPREAD}) AS made, generate_series(0, 3) AS k`,
  },
];
