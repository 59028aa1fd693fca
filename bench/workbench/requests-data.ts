import type { Client } from 'pg';
import { LOAD_SETTINGS } from '../growth/history.ts';

/** The number of logged calls. */
export interface RequestsData {
  /** The demonstration partner's. */
  readonly own: number;
  readonly all: number;
}

const DAYS = 7;
const ROWS_A_STATEMENT = 1_000_000;
/** The newest journeys, which calls refer to. */
const JOURNEYS = 40_000;
/** More polls of one journey than a page searches. */
export const MOST_POLLED = 25_000;
export const RARE_CODE = 'product_not_assigned';

/**
 * Writes a week of calls, up to now, by plain SQL. Most are successful reads; three of a hundred fail; one code is
 * rare; a third have the caller's own id. One journey has more polls than a page searches.
 * @param polled the journey's id
 */
export async function loadRequests(
  client: Client,
  { own, all }: RequestsData,
  polled: string,
  log: (step: string) => void,
): Promise<void> {
  await client.query(LOAD_SETTINGS);
  const startedAt = performance.now();
  for (let day = 1; day <= DAYS; day += 1) await client.query(dayTable(day));
  const { rows } = await client.query<{ name: string; definition: string }>(INDEXES);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await client.query(SUBJECTS, [JOURNEYS]);
  await client.query('ANALYZE bench_subjects');
  const keys = await keysOf(client);
  for (let first = 0; first < all; first += ROWS_A_STATEMENT) {
    const last = Math.min(all, first + ROWS_A_STATEMENT) - 1;
    await client.query(LOAD, [first, last, all, DAYS, own, keys]);
  }
  await client.query(POLLS, [polled, MOST_POLLED, keys[0]]);
  log(`${all.toLocaleString('en')} calls ${seconds(startedAt)}`);
  const indexedAt = performance.now();
  for (const { definition } of rows) await client.query(definition.replace('ON ONLY', 'ON'));
  log(`their indexes ${seconds(indexedAt)}`);
  await client.query('DROP TABLE bench_subjects');
  await client.query('RESET ALL');
}

function seconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}

async function keysOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM api_keys WHERE partner_id = 'demo' ORDER BY id LIMIT 2`,
  );
  return rows.map(({ id }) => id);
}

/** The service makes those of today and of the next days. */
function dayTable(daysAgo: number): string {
  const midnight = new Date();
  midnight.setUTCHours(0, 0, 0, 0);
  const day = (shift: number) =>
    new Date(midnight.getTime() + shift * 86_400_000).toISOString().slice(0, 10);
  return `CREATE TABLE partner_requests_${day(-daysAgo).replaceAll('-', '')} PARTITION OF partner_requests
    FOR VALUES FROM ('${day(-daysAgo)} 00:00:00+00') TO ('${day(1 - daysAgo)} 00:00:00+00')`;
}

const INDEXES = `
  SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
  WHERE i.indrelid = 'partner_requests'::regclass AND NOT i.indisprimary
`;

const SUBJECTS = `
  CREATE UNLOGGED TABLE bench_subjects AS
  SELECT row_number() OVER (ORDER BY id DESC) - 1 AS place, id FROM (
    SELECT id FROM journeys WHERE partner_id = 'demo' ORDER BY id DESC LIMIT $1
  ) AS newest
`;

const COLUMNS = `partner_id, at, id, given_id, key_id, method, route, path, subject_id, status, code,
  duration_us, is_authenticated, refused`;

/** A UUIDv7's milliseconds, followed by `n`. */
const UUID = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000'
  || lpad(to_hex(n % 4096 + 32768), 4, '0') || lpad(to_hex(n), 12, '0'))::uuid`;

const LOAD = `
  INSERT INTO partner_requests (${COLUMNS})
  SELECT partner, at, ${UUID}, CASE WHEN n % 3 = 0 THEN 'caller-' || n END, key, method, route,
    '/api/v1/partner' || replace(route, ':journeyId', coalesce(subject, '')), subject, status, code,
    1500 + dice * 3, code IS DISTINCT FROM 'invalid_signature',
    CASE WHEN code = 'invalid_signature' THEN jsonb_build_object('finding', 'BODY_LEFT_OUT',
      'canonical', method || E'\\n/api/v1/partner' || route || E'\\n1763900000\\n' || gen_random_uuid() || E'\\n',
      'bodyBytes', 412, 'bodySha256', encode(sha256(n::text::bytea), 'hex')) END
  FROM (
    SELECT n, at, dice, partner, method, route, CASE WHEN route LIKE '/journey%' THEN s.id END AS subject,
      CASE partner WHEN 'demo' THEN ($6::text[])[1 + n % 2] ELSE 'key_of_another' END AS key,
      CASE WHEN n % 100003 = 7 THEN 403 WHEN dice < 97000 THEN 200 WHEN dice < 98200 THEN 400
        WHEN dice < 99000 THEN 409 WHEN dice < 99500 THEN 401 WHEN dice < 99900 THEN 429
        WHEN dice < 99960 THEN 503 ELSE 499 END AS status,
      CASE WHEN n % 100003 = 7 THEN '${RARE_CODE}' WHEN dice < 97000 THEN NULL
        WHEN dice < 98200 THEN 'validation_failed' WHEN dice < 99000 THEN 'action_not_allowed'
        WHEN dice < 99500 THEN 'invalid_signature' WHEN dice < 99900 THEN 'rate_limited'
        WHEN dice < 99960 THEN 'service_unavailable' END AS code
    FROM (
      SELECT n, n * 2654435761 % 100000 AS dice,
        date_trunc('milliseconds', now() - interval '1 minute'
          - ($3 - 1 - n) * ($4 * 86400.0 / $3) * interval '1 second') AS at,
        CASE WHEN n % 100 < $5::bigint * 100 / $3::bigint THEN 'demo' ELSE 'other-' || n % 20 END AS partner,
        n * 40503 % 100 AS kind
      FROM generate_series($1::bigint, $2::bigint) AS n
    ) AS numbered
    CROSS JOIN LATERAL (SELECT
      CASE WHEN kind < 80 THEN 'GET' ELSE 'POST' END AS method,
      CASE WHEN kind < 62 THEN '/journey/:journeyId' WHEN kind < 70 THEN '/products'
        WHEN kind < 75 THEN '/leads' WHEN kind < 80 THEN '/events'
        WHEN kind < 88 THEN '/journey/initiate' WHEN kind < 97 THEN '/journey/:journeyId/action'
        WHEN kind < 99 THEN '/journey/:journeyId/redirect-returned' ELSE '/instant-loans' END AS route
    ) AS called
    LEFT JOIN bench_subjects AS s
      ON partner = 'demo' AND s.place = n * 7919 % (SELECT count(*) FROM bench_subjects)
  ) AS made
`;

const POLLS = `
  INSERT INTO partner_requests (${COLUMNS})
  SELECT 'demo', at, ${UUID}, NULL, $3,
    method, route, '/api/v1/partner/journey/' || $1, $1, 200, NULL, 4200, true, NULL
  FROM (
    SELECT n, date_trunc('milliseconds', now() - n * interval '1 second') AS at,
      CASE WHEN n % 100 = 0 THEN 'POST' ELSE 'GET' END AS method,
      CASE WHEN n % 100 = 0 THEN '/journey/:journeyId/action' ELSE '/journey/:journeyId' END AS route
    FROM generate_series(1, $2::bigint) AS n
  ) AS polled
`;
