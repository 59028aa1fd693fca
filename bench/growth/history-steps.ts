import { SESSION_PREFIX } from './session.ts';

export const DAYS_OF_EVENTS = 29;
export const DAYS_OF_CALLS = 7;
const SESSIONS_DAYS = 29;

/** Writes the rows of one table for each journey in `growth_made`; steps are independent. */
export interface Step {
  readonly name: string;
  readonly sql: string;
  readonly values?: unknown[];
}

const SHORT = `'v1:bench:' || md5(hex) || md5(hex || lender)`;

export const STEPS: readonly Step[] = [
  {
    name: 'journeys',
    sql: `
      INSERT INTO journeys (id, partner_id, key_id, application_id, product_code, channel, state,
        steps, loan_amount, loan_amount_source, applicant_sealed, mobile_hash, pan_hash, session_hash, offers_due_at,
        offers_given_up_at, outcome_reason, event_sequence, last_activity_at, created_at,
        updated_at, finished_at)
      SELECT 'jrn_' || hex, partner, p.key_id, 'app_' || hex, p.product_code, m.channel, m.state,
        p.steps, 100000 + dice * 1000, 'PARTNER', p.applicant_sealed,
        encode(sha256(('mobile ' || n % 2000000)::bytea), 'hex'),
        encode(sha256(('pan ' || n % 2000000)::bytea), 'hex'),
        encode(sha256(('${SESSION_PREFIX}jrn_' || hex)::bytea), 'hex'),
        CASE WHEN m.channel = 'API_HEADLESS' THEN
          CASE WHEN dice < 60 THEN now() + interval '10 days' ELSE at + interval '2 minutes' END END,
        CASE WHEN m.channel = 'API_HEADLESS' THEN at + interval '30 minutes' END,
        CASE WHEN m.state = 'REJECTED' THEN 'NO_OFFERS' END, 2, active_at, at, active_at,
        CASE WHEN dice >= 650 THEN active_at WHEN dice >= 100 THEN active_at + interval '7 days' END
      FROM growth_made AS m, (SELECT * FROM journeys WHERE state = 'OFFERS_RECEIVED' LIMIT 1) AS p
      ORDER BY hex`,
  },
  {
    name: 'applications',
    sql: `
      INSERT INTO applications (id, partner_id, loan_type, loan_amount, loan_amount_source, status, journey_id,
        submitted_at, updated_at)
      SELECT 'app_' || hex, partner, 'ONLINE_PERSONAL', 100000 + dice * 1000, 'PARTNER', state,
        'jrn_' || hex, at, active_at FROM growth_made ORDER BY hex`,
  },
  {
    name: 'lender_questions',
    sql: `
      INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
        payload_sealed, status, attempts, next_attempt_at, lease_token, created_at, closed_at)
      SELECT 'qst_' || left(hex, 31) || k, partner, 'jrn_' || hex, lender, 'OFFERS', '1', ${SHORT},
        'ANSWERED', 1, at, 1, at, at + interval '5 seconds'
      FROM growth_made, (VALUES (1, 'navdhara'), (2, 'kaverisetu')) AS l (k, lender)
      WHERE channel = 'API_HEADLESS' ORDER BY hex, k`,
  },
  {
    name: 'lender_inbox',
    sql: `
      INSERT INTO lender_inbox (lender_code, answer_id, partner_id, subject_id, kind, reference,
        answer_sealed, received_at, next_attempt_at, consumed_at)
      SELECT lender, 'jrn_' || hex || ':OFFERS:1', partner, 'jrn_' || hex, 'OFFERS', '1', ${SHORT},
        at, at, at + interval '5 seconds'
      FROM growth_made, (VALUES (1, 'navdhara'), (2, 'kaverisetu')) AS l (k, lender)
      WHERE channel = 'API_HEADLESS' ORDER BY hex, k`,
  },
  {
    // Complete offers where a caller may still read them.
    name: 'journey_offers',
    sql: `
      INSERT INTO journey_offers (id, partner_id, journey_id, round, lender_code, lender_reference,
        seller_name, principal, minimum_amount, figures, terms, valid_until, created_at)
      SELECT 'off_' || left(hex, 31) || k, partner, 'jrn_' || hex, 1, p.lender_code,
        p.lender_code || '-jrn_' || hex || ':OFFERS:1', p.seller_name, p.principal,
        p.minimum_amount, CASE WHEN dice < 100 THEN p.figures ELSE '{}' END,
        CASE WHEN dice < 100 THEN p.terms ELSE '{}' END,
        CASE WHEN dice < 100 THEN now() + interval '10 days' ELSE at + interval '7 days' END, at
      FROM growth_made AS m, (
        SELECT row_number() OVER (ORDER BY lender_code) AS k, o.* FROM journey_offers AS o
        WHERE journey_id = (SELECT min(journey_id) FROM journey_offers)) AS p
      WHERE dice < 80 OR (dice >= 500 AND k <= 2) ORDER BY hex, k`,
  },
  {
    name: 'journey_audit',
    sql: `
      INSERT INTO journey_audit (partner_id, journey_id, trigger, from_state, to_state, detail,
        created_at)
      SELECT partner, 'jrn_' || hex, CASE k WHEN 1 THEN 'STARTED' ELSE 'WENT_IDLE' END,
        CASE k WHEN 2 THEN 'INITIATED' END, CASE k WHEN 1 THEN 'INITIATED' ELSE state END,
        p.detail, CASE k WHEN 1 THEN at ELSE active_at END
      FROM growth_made, generate_series(1, 2) AS k, (SELECT detail FROM journey_audit LIMIT 1) AS p
      WHERE k = 1 OR dice < 80 OR dice >= 100 ORDER BY hex, k`,
  },
  {
    name: 'consent_log',
    sql: `
      INSERT INTO consent_log (id, partner_id, subject_id, way, basis, lender_codes, given_at,
        came_by, recorded_at)
      SELECT 'cns_' || hex, partner, 'jrn_' || hex, p.way, p.basis, p.lender_codes, at, p.came_by, at
      FROM growth_made, (SELECT * FROM consent_log LIMIT 1) AS p ORDER BY hex`,
  },
  {
    name: 'webhook_subscriptions',
    sql: `
      WITH lane AS (
        INSERT INTO webhook_lanes (subscription_id, partner_id, is_active, inactive_since)
        SELECT 'sub_' || id, id, false, now() FROM partners WHERE id LIKE 'other-%'
      )
      INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
      SELECT 'sub_' || id, id, 'http://127.0.0.1:9', 'v1:bench:', now()
      FROM partners WHERE id LIKE 'other-%'`,
  },
  {
    name: 'webhook_events',
    sql: `
      INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
      SELECT 'evt_' || left(hex, 31) || k, partner, 'jrn_' || hex, p.name, k, p.body, at
      FROM growth_made, generate_series(1, 2) AS k,
        (SELECT name, body FROM webhook_events LIMIT 1) AS p
      WHERE at > now() - $1 * interval '1 day' ORDER BY hex, k`,
    values: [DAYS_OF_EVENTS],
  },
  {
    name: 'webhook_deliveries',
    sql: `
      INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, attempts,
        created_at, finished_at)
      SELECT 'dlv_' || left(hex, 31) || k, partner, 'sub_' || partner, 'evt_' || left(hex, 31) || k,
        'SUCCEEDED', 1, at, at + interval '1 second'
      FROM growth_made, generate_series(1, 2) AS k
      WHERE at > now() - $1 * interval '1 day' AND partner <> 'demo' ORDER BY hex, k`,
    values: [DAYS_OF_EVENTS],
  },
  {
    name: 'webhook_attempts',
    sql: `
      INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms,
        response_status, response_excerpt)
      SELECT 'dlv_' || left(hex, 31) || k, 1, partner, at, 3, 200, 'ok'
      FROM growth_made, generate_series(1, 2) AS k
      WHERE at > now() - $1 * interval '1 day' AND partner <> 'demo' ORDER BY hex, k`,
    values: [DAYS_OF_EVENTS],
  },
  {
    name: 'hosted_links',
    sql: `
      INSERT INTO hosted_links (token_hash, partner_id, journey_id, expires_at, used_at, created_at)
      SELECT encode(sha256(('link ' || n)::bytea), 'hex'), partner, 'jrn_' || hex,
        at + interval '1 day', at, at FROM growth_made WHERE channel = 'API_HOSTED' ORDER BY 1`,
  },
  {
    name: 'hosted_sessions',
    sql: `
      INSERT INTO hosted_sessions (id, partner_id, journey_id, token_hash, link_hash, browser_hash,
        created_at, last_seen_at, expires_at)
      SELECT 'ses_' || hex, partner, 'jrn_' || hex, encode(sha256(('session ' || n)::bytea), 'hex'),
        md5(hex), md5(hex), at, at, at + interval '1 hour'
      FROM growth_made WHERE channel = 'API_HOSTED' AND at > now() - $1 * interval '1 day'
      ORDER BY hex`,
    values: [SESSIONS_DAYS],
  },
  {
    name: 'one_time_codes',
    sql: `
      INSERT INTO one_time_codes (id, partner_id, journey_id, session_id, code_hash, sms_id,
        created_at, expires_at)
      SELECT 'otc_' || hex, partner, 'jrn_' || hex, 'ses_' || hex, md5(hex), 'sms_' || hex, at,
        at + interval '10 minutes'
      FROM growth_made WHERE channel = 'API_HOSTED' AND at > now() - interval '20 hours'
      ORDER BY hex`,
  },
  {
    name: 'journey_redirects',
    sql: `
      INSERT INTO journey_redirects (id, partner_id, journey_id, lender_code, step, attempt, verdict,
        visited_at, returned_at, created_at)
      SELECT 'rdr_' || left(hex, 31) || k, partner, 'jrn_' || hex, 'navdhara', step, 1, 'PASSED', at,
        at, at
      FROM growth_made, (VALUES (1, 'KYC'), (2, 'MANDATE'), (3, 'ESIGN')) AS s (k, step)
      WHERE state = 'SANCTIONED' ORDER BY hex, k`,
  },
  {
    name: 'journey_intents',
    sql: `
      INSERT INTO journey_intents (id, partner_id, journey_id, kind, payload_sealed, state, fence,
        status, created_at, resolved_at)
      SELECT 'int_' || left(hex, 31) || k, partner, 'jrn_' || hex, kind, 'v1:bench:' || md5(hex),
        'OFFERS_RECEIVED', k, 'COMPLETED', at, at
      FROM growth_made,
        (VALUES (1, 'SELECT_OFFER'), (2, 'SUBMIT_BANK_ACCOUNT')) AS i (k, kind)
      WHERE state = 'SANCTIONED' ORDER BY hex, k`,
  },
  {
    name: 'idempotent_answers',
    sql: `
      INSERT INTO idempotent_answers (partner_id, operation, idempotency_key, body_hash,
        answer_sealed, created_at)
      SELECT partner, 'initiate', hex, md5(hex), repeat('v1:bench:', 40), at
      FROM growth_made WHERE at > now() - interval '20 hours' ORDER BY hex`,
  },
  {
    // Nonces of the last minutes of a busy day.
    name: 'request_nonces',
    sql: `
      INSERT INTO request_nonces (key_id, nonce, seen_at)
      SELECT p.key_id, md5('nonce ' || n)::uuid, now()
      FROM growth_made, (SELECT key_id FROM journeys LIMIT 1) AS p WHERE n % 30 = 0`,
  },
];

export const LEAD_COUNTS: readonly Step[] = [
  { name: 'no counts', sql: 'TRUNCATE lead_counts, lead_count_deltas' },
  {
    name: 'lead_counts',
    sql: `
      INSERT INTO lead_counts (partner_id, loan_type, status, day, leads)
      SELECT partner_id, coalesce(loan_type, ''), coalesce(status, ''), day, count(*)
      FROM (SELECT *, (submitted_at AT TIME ZONE 'Asia/Kolkata')::date AS day FROM applications) AS a
      GROUP BY partner_id, day, CUBE (loan_type, status)`,
  },
];

/** A journey's calls: one that starts it, three that read it. */
export const CALLS_STEP: Step = {
  name: 'partner_requests',
  sql: `
    INSERT INTO partner_requests (partner_id, at, id, key_id, method, route, path, subject_id,
      status, duration_us, is_authenticated)
    SELECT partner, moment, (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')
        || right(hex, 20))::uuid, p.key_id,
      CASE k WHEN 0 THEN 'POST' ELSE 'GET' END,
      CASE k WHEN 0 THEN '/journey/initiate' ELSE '/journey/:journeyId' END,
      '/api/v1/partner/journey/' || CASE k WHEN 0 THEN 'initiate' ELSE 'jrn_' || hex END,
      'jrn_' || hex, 200, 4000, true
    FROM growth_made, generate_series(0, 3) AS k, (SELECT key_id FROM journeys LIMIT 1) AS p,
      LATERAL (SELECT date_trunc('milliseconds', at) + k * interval '5 seconds' AS moment) AS m
    WHERE at > now() - $1 * interval '1 day' ORDER BY hex, k`,
  values: [DAYS_OF_CALLS],
};
