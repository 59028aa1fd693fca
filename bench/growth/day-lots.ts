import type { Client } from 'pg';
import { built } from '../support/built-service.ts';
import type { ServiceParts } from '../support/service-parts.ts';

/** A day's worth of rows that a clean-up deletes. */
export interface Lot {
  readonly name: string;
  readonly rows: number;
  /** The service's task that deletes it. */
  readonly task: { readonly module: string; readonly name: string; readonly method: string };
  write(client: Client): Promise<void>;
  /** The number of rows of these kinds, including rows that are not deleted. */
  count(client: Client): Promise<number>;
}

const NONCES = 200_000;
const ANSWERS = 17_000;
const DELIVERIES = 50_000;
/** For each kind, the maximum that a pass deletes. */
const SIGN_INS = 5_000;

export const LOTS: readonly Lot[] = [
  lot({
    name: 'nonces',
    rows: NONCES,
    tables: ['request_nonces'],
    task: {
      module: 'src/auth/store/admissions.repository.js',
      name: 'RequestNoncesRepository',
      method: 'forgetExpired',
    },
    sql: `
      INSERT INTO request_nonces (key_id, nonce, seen_at)
      SELECT (SELECT min(id) FROM api_keys), gen_random_uuid(),
        now() - interval '1 day' + n * (80000.0 / ${NONCES}) * interval '1 second'
      FROM generate_series(1, ${NONCES}) AS n`,
  }),
  lot({
    name: 'answers kept for idempotency',
    rows: ANSWERS,
    tables: ['idempotent_answers'],
    task: {
      module: 'src/platform/idempotency/idempotency.js',
      name: 'Idempotency',
      method: 'forgetExpired',
    },
    sql: `
      INSERT INTO idempotent_answers (partner_id, operation, idempotency_key, body_hash,
        answer_sealed, created_at)
      SELECT 'demo', 'initiate', gen_random_uuid(), md5(n::text), repeat('v1:bench:', 40),
        now() - interval '2 days' + n * interval '1 second'
      FROM generate_series(1, ${ANSWERS}) AS n`,
  }),
  lot({
    name: 'deliveries and their events',
    rows: DELIVERIES * 2,
    tables: ['webhook_deliveries', 'webhook_events'],
    task: { module: 'src/webhooks/webhooks.tasks.js', name: 'WebhooksTasks', method: 'clean' },
    sql: `
      WITH made AS MATERIALIZED (
        SELECT at, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
          || substr(md5(gen_random_uuid()::text), 1, 19) AS hex
        FROM generate_series(1, ${DELIVERIES}) AS n, LATERAL (
          SELECT now() - interval '31 days 12 hours' + n * interval '0.8 seconds' AS at) AS t
      ),
      event AS (
        INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
        SELECT 'evt_' || hex, 'other-0', 'jrn_' || hex, 'journey.initiated', 1, repeat('{} ', 150), at
        FROM made
      )
      INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, attempts,
        created_at, finished_at)
      SELECT 'dlv_' || hex, 'other-0', 'sub_other-0', 'evt_' || hex, 'SUCCEEDED', 1, at, at FROM made`,
  }),
  lot({
    name: 'sessions and codes of the way in',
    rows: SIGN_INS * 2,
    tables: ['hosted_sessions', 'one_time_codes'],
    task: {
      module: 'src/journeys/background/journey.tasks.js',
      name: 'HostedUpkeepTasks',
      method: 'run',
    },
    sql: `
      WITH made AS MATERIALIZED (
        SELECT gen_random_uuid()::text AS key, (SELECT min(id) FROM journeys) AS journey
        FROM generate_series(1, ${SIGN_INS})
      ),
      session AS (
        INSERT INTO hosted_sessions (id, partner_id, journey_id, token_hash, link_hash,
          browser_hash, created_at, last_seen_at, expires_at)
        SELECT 'ses_' || key, 'demo', journey, key, key, key, at, at, at
        FROM made, (SELECT now() - interval '31 days' AS at) AS t
      )
      INSERT INTO one_time_codes (id, partner_id, journey_id, session_id, code_hash, sms_id,
        created_at, expires_at)
      SELECT 'otc_' || key, 'demo', journey, 'ses_' || key, key, 'sms_' || key, at, at
      FROM made, (SELECT now() - interval '2 days' AS at) AS t`,
  }),
  lot({
    name: 'counted limits',
    rows: SIGN_INS,
    tables: ['counted_limits'],
    task: {
      module: 'src/platform/store/counted-limits.js',
      name: 'CountedLimits',
      method: 'deleteEnded',
    },
    sql: `
      INSERT INTO counted_limits (kind, subject_hash, count, ends_at)
      SELECT 'bench', gen_random_uuid()::text, 1, now() - interval '1 hour'
      FROM generate_series(1, ${SIGN_INS})`,
  }),
];

interface LotParts extends Pick<Lot, 'name' | 'rows' | 'task'> {
  readonly tables: readonly string[];
  readonly sql: string;
}

function lot({ tables, sql, ...parts }: LotParts): Lot {
  const counts = tables.map((one) => `(SELECT count(*) FROM ${one})`).join(' + ');
  return {
    ...parts,
    write: async (client) => {
      await client.query(sql);
    },
    count: async (client) => {
      const { rows } = await client.query<{ count: number }>(`SELECT (${counts})::int AS count`);
      return rows[0]?.count ?? 0;
    },
  };
}

/** One pass of the service's task. */
export async function cleanAway({ task }: Lot, parts: ServiceParts): Promise<void> {
  const { module, name, method } = task;
  const exported =
    await built<Record<string, abstract new () => Record<string, () => Promise<void>>>>(module);
  const part = exported[name];
  if (!part) throw new Error(`${module} has no ${name}`);
  await parts.get(part)[method]?.();
}
