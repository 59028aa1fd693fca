import type { Client } from 'pg';
import { LOAD_SETTINGS } from '../growth/history.ts';

/** The demonstration partner's two subscriptions. */
export interface Subscriptions {
  /** Received every event; some deliveries were given up. */
  readonly working: string;
  /** Inactive; every tenth event waits for it. */
  readonly inactive: string;
}

/** Transitions, events and attempts of one journey: more of each than its page shows. */
const MANY = { moves: 150, events: 60, attempts: 3 };
/** The response of a receiver's proxy while the receiver is away. */
const EXCERPT = `<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>`;

/**
 * Writes a delivery with its attempts for each of the partner's events, by plain SQL. Gives one journey more of
 * everything than a page shows.
 */
export async function loadDeliveries(
  client: Client,
  { working, inactive }: Subscriptions,
  journey: string,
): Promise<void> {
  await client.query(LOAD_SETTINGS);
  // Otherwise the service would retry its own deliveries.
  await client.query('TRUNCATE webhook_queue');
  for (const table of ['webhook_attempts', 'webhook_deliveries']) {
    await client.query(`DELETE FROM ${table} WHERE partner_id = 'demo'`);
  }
  await client.query(MOVES, [journey, MANY.moves]);
  await client.query(EVENTS, [journey, MANY.events]);
  await client.query(DELIVERED, [working]);
  await client.query(ATTEMPTED, [working, journey, EXCERPT, MANY.attempts]);
  await client.query(
    `UPDATE webhook_lanes SET is_active = false, inactive_since = now() WHERE subscription_id = $1`,
    [inactive],
  );
  await client.query(WAITING, [inactive]);
  await client.query(QUEUED, [inactive]);
  await client.query('RESET ALL');
}

const MOVES = `
  INSERT INTO journey_audit (partner_id, journey_id, trigger, from_state, to_state, detail, created_at)
  SELECT partner_id, journey_id, trigger, from_state, from_state, detail,
    now() - (n + 60) * interval '1 second'
  FROM (SELECT * FROM journey_audit WHERE journey_id = $1 AND from_state IS NOT NULL LIMIT 1) AS pattern,
    generate_series(1, $2::integer) AS n
`;

const EVENTS = `
  INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
  SELECT 'evt_' || lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
    || left(md5(n::text), 19), partner_id, journey_id, name, 100 + n,
    replace(body, id, 'evt_' || md5(n::text)), at
  FROM (SELECT * FROM webhook_events WHERE journey_id = $1 ORDER BY length(body) DESC LIMIT 1) AS pattern,
    generate_series(1, $2::integer) AS n,
    LATERAL (SELECT now() - (300 - n) * interval '1 second' AS at) AS moment
`;

const GIVEN_UP = `substr(md5(e.id), 1, 3) IN ('aba', 'abb', 'abc', 'abd')`;

const DELIVERED = `
  INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, attempts,
    created_at, finished_at)
  SELECT 'dlv_' || substr(e.id, 5), e.partner_id, $1, e.id,
    CASE WHEN ${GIVEN_UP} THEN 'EXHAUSTED' ELSE 'SUCCEEDED' END,
    CASE WHEN ${GIVEN_UP} THEN 12 ELSE 1 END, e.created_at, e.created_at + interval '1 second'
  FROM webhook_events AS e WHERE e.partner_id = 'demo' AND e.journey_id IS NOT NULL ORDER BY e.id
`;

const ATTEMPTED = `
  INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms,
    response_status, response_excerpt)
  SELECT d.id, n, d.partner_id, d.created_at + n * interval '1 second', 12,
    CASE WHEN d.attempts > 1 OR e.journey_id = $2 THEN 502 ELSE 200 END,
    CASE WHEN d.attempts > 1 OR e.journey_id = $2 THEN $3 ELSE 'ok' END
  FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id,
    generate_series(1, CASE WHEN e.journey_id = $2 THEN $4::integer ELSE d.attempts END) AS n
  WHERE d.subscription_id = $1 ORDER BY d.id, n
`;

const WAITING = `
  INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, attempts, created_at)
  SELECT 'dlv_' || substr(e.id, 5, 12) || '8' || left(md5(e.id), 19), e.partner_id, $1, e.id, 'PENDING', 0, e.created_at
  FROM webhook_events AS e
  WHERE e.partner_id = 'demo' AND e.journey_id IS NOT NULL AND substr(md5(e.id), 1, 1) IN ('0', '1')
  ORDER BY e.id
`;

const QUEUED = `
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT id, partner_id, subscription_id, event_id, created_at
  FROM webhook_deliveries WHERE subscription_id = $1
`;
