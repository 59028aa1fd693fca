import { baseline } from './baseline.js';

/** Simulated lenders, gateways and phones; empty in production. */
export const Sandbox1766000200000 = baseline('Sandbox1766000200000', {
  up: `
  CREATE TABLE sandbox_clock (
    one boolean PRIMARY KEY DEFAULT true,
    offset_ms bigint NOT NULL DEFAULT 0,
    CONSTRAINT sandbox_clock_one_check CHECK (one)
  );

  CREATE TABLE sandbox_payments (
    order_id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    amount bigint NOT NULL,
    details_sealed text,
    expires_at timestamptz NOT NULL,
    outcome text,
    method text,
    payment_id text,
    decided_at timestamptz,
    cancelled_at timestamptz,
    callbacks_left integer NOT NULL DEFAULT 0,
    callback_failures integer NOT NULL DEFAULT 0,
    next_callback_at timestamptz,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    created_at timestamptz NOT NULL,
    refund_reference text,
    refunded_at timestamptz,
    CONSTRAINT sandbox_payments_outcome CHECK (outcome IN ('PAID', 'FAILED'))
  );
  CREATE INDEX sandbox_payments_by_subject ON sandbox_payments (subject_id);
  CREATE INDEX sandbox_payments_due ON sandbox_payments (next_callback_at) WHERE next_callback_at IS NOT NULL;

  CREATE TABLE sandbox_sessions (
    reference text PRIMARY KEY,
    step text NOT NULL,
    lender_code text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    attempt integer NOT NULL,
    pan_sealed text NOT NULL,
    return_url text NOT NULL,
    decision text,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    agreement jsonb NOT NULL,
    decided_at timestamptz
  );

  CREATE TABLE sandbox_sms (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    language text NOT NULL,
    mobile_hash text NOT NULL,
    content_sealed text NOT NULL,
    received_at timestamptz NOT NULL
  );
  CREATE INDEX sandbox_sms_by_mobile ON sandbox_sms (mobile_hash, received_at, id);
  CREATE INDEX sandbox_sms_by_subject ON sandbox_sms (subject_id);
  CREATE INDEX sandbox_sms_newest ON sandbox_sms (received_at, id);
`,
  down: `
  DROP TABLE sandbox_sms, sandbox_sessions, sandbox_payments, sandbox_clock;
`,
});
