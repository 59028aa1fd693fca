import type { Client } from 'pg';
import { connected } from '../support/create-database.ts';
import {
  CALLS_STEP,
  DAYS_OF_CALLS,
  DAYS_OF_EVENTS,
  LEAD_COUNTS,
  type Step,
  STEPS,
} from './history-steps.ts';
import { ATTEMPTS, CALLS, makePartitions } from './partitions.ts';

const OTHER_PARTNERS = 20;
/** Parallel connections. */
const LANES = 3;

/** The demonstration partner's share of these journeys. */
export interface OwnShare {
  readonly own: number;
  readonly of: number;
}

export interface History {
  readonly journeys: number;
  /** The period over which they are spread; the newest is a minute old. */
  readonly days: number;
  /** Default: every third. */
  readonly share?: OwnShare;
  /** Whether to write the log of calls, too. */
  readonly hasCalls?: boolean;
}

/** The written tables. */
const TABLES = [
  'journeys',
  'applications',
  'lender_questions',
  'lender_inbox',
  'journey_offers',
  'journey_audit',
  'consent_log',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'hosted_links',
  'hosted_sessions',
  'one_time_codes',
  'journey_redirects',
  'journey_intents',
  'idempotent_answers',
  'request_nonces',
] as const;

/**
 * Writes the rows of this many journeys, by plain SQL. The service must have set up the database and made one journey
 * with offers, whose texts and figures are copied. Nine of ten journeys are over; the others wait for their applicants
 * and are not abandoned yet. By default every third is the demonstration partner's.
 * Simplified: sealed values are short texts, two lenders were asked, half of the journeys have offers, and loaded
 * journeys have no audit chain. Rows with a retention of days stay a day longer; nonces, codes and responses are
 * deleted as usual.
 * @param log receives each step and its duration
 */
export async function loadHistory(
  url: string,
  { journeys, days, share: { own, of } = { own: 1, of: 3 }, hasCalls = false }: History,
  log: (step: string) => void,
): Promise<void> {
  const lanes = await Promise.all(Array.from({ length: LANES }, () => connected(url)));
  const [client] = lanes as [Client];
  for (const lane of lanes) await lane.query(LOAD_SETTINGS + IN_ORDER);
  await client.query(MADE, [journeys, days, OTHER_PARTNERS, of, own]);
  await client.query(PARTNERS, [OTHER_PARTNERS]);
  await client.query('CREATE UNIQUE INDEX ON growth_made (hex)');
  await client.query('ANALYZE growth_made');
  await makePartitions(client, await ATTEMPTS(), DAYS_OF_EVENTS);
  if (hasCalls) await makePartitions(client, await CALLS(), DAYS_OF_CALLS);
  const indexes = await takeIndexes(client);
  await sideBySide(lanes, hasCalls ? [...STEPS, CALLS_STEP] : STEPS, log);
  await sideBySide([client], LEAD_COUNTS, log);
  await sideBySide(
    lanes,
    indexes.map(({ name, definition }) => ({ name: `index ${name}`, sql: definition })),
    log,
  );
  await client.query('DROP TABLE growth_made');
  for (const lane of lanes) await lane.end();
}

/** Each lane takes the next step when it is free. */
async function sideBySide(
  lanes: readonly Client[],
  steps: readonly Step[],
  log: (step: string) => void,
): Promise<void> {
  const waiting = [...steps];
  await Promise.all(
    lanes.map(async (client) => {
      for (let step = waiting.shift(); step; step = waiting.shift()) {
        const startedAt = performance.now();
        await client.query(step.sql, step.values);
        log(`${step.name} ${seconds(startedAt)}`);
      }
    }),
  );
}

function seconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}

/** Builds indexes after all rows. Those of the keys stay, since their rows come in order. */
async function takeIndexes(client: Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
     WHERE t.relname = ANY ($1)
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`,
    [TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}

// Skips foreign keys and the row-by-row lead counts; the counts come last.
export const LOAD_SETTINGS = `
  SET session_replication_role = replica;
  SET synchronous_commit = off;
  SET maintenance_work_mem = '1GB';
  SET work_mem = '256MB';
`;

// Each step needs its rows in order of ids, which an index has: sorting would take most of the time.
const IN_ORDER = 'SET enable_sort = off';

// An id is a UUIDv7: it begins with its milliseconds.
const MADE = `
  CREATE UNLOGGED TABLE growth_made AS
  SELECT n, dice, at,
    lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
      || substr(md5(n::text), 1, 19) AS hex,
    CASE WHEN n % $4::bigint < $5::bigint THEN 'demo'
      ELSE 'other-' || n / $4::bigint % $3 END AS partner,
    CASE WHEN dice < 60 THEN 'OFFERS_RECEIVED' WHEN dice < 80 THEN 'KYC_PENDING'
      WHEN dice < 100 THEN 'INITIATED' WHEN dice < 650 THEN 'ABANDONED'
      WHEN dice < 900 THEN 'REJECTED' ELSE 'SANCTIONED' END AS state,
    CASE WHEN dice BETWEEN 80 AND 99 OR dice > 960 THEN 'API_HOSTED'
      ELSE 'API_HEADLESS' END AS channel,
    CASE WHEN dice < 100 THEN greatest(at, now() - (n * 7919 % 500000) * interval '1 second')
      ELSE at + (n * 7919 % 3600) * interval '1 second' END AS active_at
  FROM (
    SELECT n, n * 2654435761 % 1000 AS dice,
      now() - interval '1 minute' - ($1 - 1 - n) * ($2 * 86400.0 / $1) * interval '1 second' AS at
    FROM generate_series(0, $1::bigint - 1) AS n
  ) AS numbered
`;

const PARTNERS = `
  INSERT INTO partners (id, name)
  SELECT 'other-' || n, 'Another partner' FROM generate_series(0, $1 - 1) AS n
`;
