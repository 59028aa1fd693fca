import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payment orders, what was paid on them, and what their owners are told of it. */
export class Payments1763800200000 implements MigrationInterface {
  name = 'Payments1763800200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(PAYMENT_ORDERS);
    await runner.query(PAYMENT_RECORDS);
    await runner.query(SANDBOX_PAYMENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE sandbox_payments, payment_audit, payment_callbacks, payment_inbox, payments,
        payment_orders
    `);
  }
}

// An order needs its details until its page is open; one that is called off needs them no more.
const PAYMENT_ORDERS = `
  CREATE TABLE payment_orders (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    amount bigint NOT NULL,
    details_sealed text,
    expires_at timestamptz NOT NULL,
    status text NOT NULL DEFAULT 'NEW',
    status_at timestamptz NOT NULL,
    gateway text,
    gateway_order_id text,
    url text,
    closing text,
    retried_as text,
    asks integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    last_failure text,
    refused_at timestamptz,
    asked_at timestamptz,
    next_attempt_at timestamptz,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT payment_orders_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT payment_orders_retry FOREIGN KEY (retried_as) REFERENCES payment_orders (id),
    CONSTRAINT payment_orders_amount CHECK (amount > 0),
    CONSTRAINT payment_orders_closing CHECK (closing IN ('EXPIRED', 'CANCELLED')),
    CONSTRAINT payment_orders_details
      CHECK (details_sealed IS NOT NULL OR status <> 'NEW' OR closing IS NOT NULL),
    CONSTRAINT payment_orders_status
      CHECK (status IN ('NEW', 'OPEN', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAID'))
  );
  CREATE INDEX payment_orders_by_subject ON payment_orders (subject_id);
  CREATE UNIQUE INDEX payment_orders_by_gateway_id ON payment_orders (gateway, gateway_order_id)
    WHERE gateway_order_id IS NOT NULL;
  CREATE INDEX payment_orders_due ON payment_orders (next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
`;

// notice_key says what the notice says: the same thing told twice is the same row.
const PAYMENT_RECORDS = `
  CREATE TABLE payments (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    gateway text NOT NULL,
    gateway_payment_id text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    method text,
    is_counted boolean NOT NULL,
    source text NOT NULL,
    paid_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT payments_order FOREIGN KEY (order_id) REFERENCES payment_orders (id)
  );
  CREATE UNIQUE INDEX payments_once ON payments (gateway, gateway_payment_id);
  CREATE INDEX payments_by_order ON payments (order_id);
  CREATE INDEX payments_by_subject ON payments (subject_id);

  CREATE TABLE payment_inbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    notice_key text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    kind text NOT NULL,
    gateway_payment_id text,
    amount bigint,
    at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    consumed_at timestamptz
  );
  CREATE UNIQUE INDEX payment_inbox_once ON payment_inbox (notice_key);
  CREATE INDEX payment_inbox_by_order ON payment_inbox (order_id);
  CREATE INDEX payment_inbox_waiting ON payment_inbox (next_attempt_at, id)
    WHERE consumed_at IS NULL;

  CREATE TABLE payment_callbacks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gateway text NOT NULL,
    event_id text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    name text NOT NULL,
    received_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX payment_callbacks_once ON payment_callbacks (gateway, event_id);
  CREATE INDEX payment_callbacks_by_order ON payment_callbacks (order_id);

  CREATE TABLE payment_audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    trigger text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX payment_audit_by_order ON payment_audit (order_id);
`;

// The simulated gateway's own memory. What it says, and calls back about, is true from decided_at on,
// which is later than the visit when the bank is slow.
const SANDBOX_PAYMENTS = `
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
    CONSTRAINT sandbox_payments_outcome CHECK (outcome IN ('PAID', 'FAILED'))
  );
  CREATE INDEX sandbox_payments_by_subject ON sandbox_payments (subject_id);
  CREATE INDEX sandbox_payments_due ON sandbox_payments (next_callback_at)
    WHERE next_callback_at IS NOT NULL;
`;
