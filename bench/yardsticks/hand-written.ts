/**
 * Shared by the plain servers: the signature check and the one statement of a call, written by hand. In one round trip
 * the statement uses the nonce, counts both windows and does the call's reads or writes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Settings {
  readonly databaseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly partnerId: string;
  readonly poolSize: number;
}

export function settings(): Settings {
  return JSON.parse(process.env.YARDSTICK ?? '{}') as Settings;
}

const TOLERANCE_SECONDS = 300;

/** Returns the nonce, or null when the signature is not valid. */
export function nonceOf(
  { apiKey, apiSecret }: Settings,
  method: string,
  target: string,
  headers: IncomingHttpHeaders,
  body: string,
): string | null {
  const {
    'x-api-key': key,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': given,
  } = headers as Record<string, string | undefined>;
  if (key !== apiKey || !timestamp || !nonce || !given) return null;
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return null;
  const expected = createHmac('sha256', apiSecret)
    .update(`${method}\n${target}\n${timestamp}\n${nonce}\n${body}`)
    .digest();
  const bytes = Buffer.from(given, 'hex');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? nonce : null;
}

const ADMISSION = `
  nonce AS (
    INSERT INTO yardstick_nonces VALUES ($1, $2, now()) ON CONFLICT DO NOTHING RETURNING 1
  ), counted AS (
    INSERT INTO yardstick_windows AS w
    VALUES ($1, floor(extract(epoch FROM now()) / 60), 1, current_date, 1)
    ON CONFLICT (key_id) DO UPDATE SET
      minute_used = CASE WHEN w.minute = excluded.minute THEN w.minute_used + 1 ELSE 1 END,
      minute = excluded.minute,
      day_used = CASE WHEN w.day = excluded.day THEN w.day_used + 1 ELSE 1 END,
      day = excluded.day
    RETURNING minute_used, day_used
  )`;

const STANDING = `
  (SELECT count(*)::int FROM nonce) AS fresh, (SELECT minute_used FROM counted) AS minute_used,
  (SELECT day_used FROM counted) AS day_used`;

export const STATEMENTS = {
  journey: {
    name: 'journey',
    text: `WITH ${ADMISSION}
      SELECT ${STANDING}, j.*, (
        SELECT json_agg(o) FROM journey_offers AS o WHERE o.journey_id = j.id AND o.round = j.offer_round
      ) AS offers
      FROM (SELECT 1) AS one LEFT JOIN journeys AS j ON j.id = $3 AND j.partner_id = $4`,
  },
  products: {
    name: 'products',
    text: `WITH ${ADMISSION}
      SELECT ${STANDING}, (
        SELECT json_agg(json_build_object('code', code, 'displayName', display_name,
          'category', category, 'channel', channel, 'provider', provider, 'icon', icon)
          ORDER BY position)
        FROM products WHERE is_enabled
      ) AS products`,
  },
  // The rows of a headless initiate: journey, lead, audit, consent, event, and a question per lender.
  initiate: {
    name: 'initiate',
    text: `WITH ${ADMISSION}, lead AS (
        INSERT INTO applications (id, partner_id, loan_type, loan_amount, loan_amount_source, status, journey_id,
          submitted_at, updated_at)
        VALUES ($4, $5, $6, $7, 'PARTNER', 'INITIATED', $3, now(), now())
      ), journey AS (
        INSERT INTO journeys (id, partner_id, key_id, application_id, product_code, channel, state,
          steps, loan_amount, loan_amount_source, applicant_sealed, mobile_hash, pan_hash, session_hash, event_sequence,
          offers_due_at, offers_given_up_at, last_activity_at, created_at, updated_at)
        VALUES ($3, $5, $8, $4, $6, 'API_HEADLESS', 'INITIATED', $9, $7, 'PARTNER', $10, $11, $12, $13, 1,
          now() + interval '2 minutes', now() + interval '30 minutes', now(), now(), now())
      ), audit AS (
        INSERT INTO journey_audit (partner_id, journey_id, trigger, to_state, detail, created_at)
        VALUES ($5, $3, 'STARTED', 'INITIATED', '{}', now())
      ), consent AS (
        INSERT INTO consent_log (id, partner_id, subject_id, way, basis, lender_codes, given_at, came_by)
        VALUES ('cns_' || substr($3, 5), $5, $3, 'PARTNER', 'AGREEMENT', $18, now(), $8)
      ), event AS (
        INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
        VALUES ($14, $5, $3, 'journey.initiated', 1, $15, now())
      ), questions AS (
        INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
          payload_sealed, next_attempt_at, created_at)
        SELECT q.id, $5, $3, q.lender, 'OFFERS', '1', $16, now() + interval '1 day', now()
        FROM unnest($17::text[], $18::text[]) AS q (id, lender)
      )
      SELECT ${STANDING}`,
  },
} as const;

interface OfferRow {
  id: string;
  seller_name: string;
  principal: number;
  minimum_amount: number;
  figures: Record<string, number>;
  terms: { contingentCharges: unknown; coolingOffDays: number };
  valid_until: string;
}

export interface JourneyRow {
  fresh: number;
  id: string | null;
  application_id: string;
  product_code: string;
  channel: string;
  state: string;
  loan_amount: string;
  offers: OfferRow[] | null;
  created_at: Date;
  updated_at: Date;
}

/** The response to a read, with the service's form and size. */
export function journeyAnswer(row: JourneyRow, linkSecret: string): unknown {
  return {
    journeyId: row.id,
    applicationId: row.application_id,
    productCode: row.product_code,
    channel: row.channel,
    state: row.state,
    loanAmount: Number(row.loan_amount) / 100,
    currentNextAction: { type: 'SELECT_OFFER', category: 'ACTION' },
    offers: (row.offers ?? []).map((offer, index) => ({
      offerId: offer.id,
      sellerName: offer.seller_name,
      principalAmount: offer.principal / 100,
      emiAmount: (offer.figures.instalment ?? 0) / 100,
      tenure: offer.figures.tenureMonths,
      interestRate: offer.figures.annualRatePercent,
      apr: offer.figures.apr,
      processingFees: (offer.figures.processingFees ?? 0) / 100,
      netDisbursedAmount: (offer.figures.netDisbursed ?? 0) / 100,
      minimumLoanAmount: offer.minimum_amount / 100,
      kfsLink: `http://127.0.0.1/kfs/${offer.id}.${createHmac('sha256', linkSecret).update(offer.id).digest('base64url')}`,
      validUntil: offer.valid_until,
      contingentCharges: offer.terms.contingentCharges,
      coolingOffDays: offer.terms.coolingOffDays,
      rank: index + 1,
      metric: 'APR_ASC/5',
      branchLocations: [],
    })),
    lendersWithoutOffer: [],
    selectedOffer: null,
    outcome: 'IN_PROGRESS',
    pollIntervalSeconds: 2,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The headers of every response of the service. */
export function limitHeaders(row: { minute_used?: number }): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'RateLimit-Limit': '100000',
    'RateLimit-Remaining': String(100_000 - (row.minute_used ?? 0)),
    'RateLimit-Reset': '60',
    'RateLimit-Policy': '100000;w=60, 10000000;w=86400',
  };
}
