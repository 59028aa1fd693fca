import { baseline } from './baseline.js';

/** Payment orders, payments and refunds. */
export const Payments1766000170000 = baseline('Payments1766000170000', {
  up: `
  CREATE TABLE payment_orders (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    amount bigint NOT NULL,
    details_sealed text,
    expires_at timestamptz NOT NULL,
    status text NOT NULL DEFAULT 'NEW',
    status_at timestamptz NOT NULL DEFAULT app_now(),
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
    next_attempt_at timestamptz DEFAULT app_now(),
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    failing_since timestamptz,
    silent_at timestamptz,
    account text,
    CONSTRAINT payment_orders_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT payment_orders_retry FOREIGN KEY (retried_as) REFERENCES payment_orders,
    CONSTRAINT payment_orders_amount CHECK (amount > 0),
    CONSTRAINT payment_orders_closing CHECK (closing IN ('EXPIRED', 'CANCELLED')),
    CONSTRAINT payment_orders_details CHECK (details_sealed IS NOT NULL OR status <> 'NEW' OR closing IS NOT NULL),
    CONSTRAINT payment_orders_status CHECK (status IN ('NEW', 'OPEN', 'FAILED', 'EXPIRED', 'CANCELLED', 'PAID'))
  );
  CREATE UNIQUE INDEX payment_orders_by_gateway_id ON payment_orders (gateway, gateway_order_id) WHERE
    gateway_order_id IS NOT NULL;
  CREATE INDEX payment_orders_by_subject ON payment_orders (subject_id);
  CREATE INDEX payment_orders_due ON payment_orders (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

  CREATE TABLE payments (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
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
    recorded_at timestamptz NOT NULL DEFAULT app_now(),
    unsettled_at timestamptz DEFAULT app_now(),
    CONSTRAINT payments_order FOREIGN KEY (order_id) REFERENCES payment_orders
  );
  CREATE INDEX payments_by_order ON payments (order_id);
  CREATE INDEX payments_by_subject ON payments (subject_id);
  CREATE UNIQUE INDEX payments_once ON payments (gateway, gateway_payment_id);
  CREATE INDEX payments_unsettled ON payments (unsettled_at) WHERE unsettled_at IS NOT NULL;

  CREATE TABLE payment_inbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    notice_key text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    kind text NOT NULL,
    gateway_payment_id text,
    amount bigint,
    at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT app_now(),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
    consumed_at timestamptz
  );
  CREATE INDEX payment_inbox_by_subject ON payment_inbox (subject_id) WHERE consumed_at IS NULL;
  CREATE UNIQUE INDEX payment_inbox_once ON payment_inbox (notice_key);
  CREATE INDEX payment_inbox_waiting ON payment_inbox (next_attempt_at, id) WHERE consumed_at IS NULL;

  CREATE TABLE payment_callbacks (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    gateway text NOT NULL,
    event_id text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    name text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT app_now()
  );
  CREATE INDEX payment_callbacks_by_order ON payment_callbacks (order_id);
  CREATE UNIQUE INDEX payment_callbacks_once ON payment_callbacks (gateway, event_id);

  CREATE TABLE payment_audit (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    trigger text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now()
  );
  CREATE INDEX payment_audit_by_order ON payment_audit (order_id);
  CREATE CONSTRAINT TRIGGER payment_audit_join_audit
    AFTER INSERT OR UPDATE ON payment_audit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{}');

  CREATE TABLE payment_refunds (
    id text PRIMARY KEY,
    payment_id bigint NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    order_id text NOT NULL,
    gateway text NOT NULL,
    gateway_payment_id text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    reason text NOT NULL,
    status text NOT NULL DEFAULT 'REQUESTED',
    status_at timestamptz NOT NULL DEFAULT app_now(),
    attempt integer NOT NULL DEFAULT 1,
    gateway_refund_id text,
    asks integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    last_failure text,
    failing_since timestamptz,
    next_attempt_at timestamptz DEFAULT app_now(),
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    tell_at timestamptz,
    tell_attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    account text,
    refused_since timestamptz,
    CONSTRAINT payment_refunds_payment FOREIGN KEY (payment_id) REFERENCES payments,
    CONSTRAINT payment_refunds_amount CHECK (amount > 0),
    CONSTRAINT payment_refunds_status CHECK (status IN ('REQUESTED', 'PENDING', 'DONE', 'FAILED'))
  );
  CREATE INDEX payment_refunds_by_subject ON payment_refunds (subject_id);
  CREATE INDEX payment_refunds_due ON payment_refunds (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  CREATE UNIQUE INDEX payment_refunds_once ON payment_refunds (payment_id);
  CREATE INDEX payment_refunds_untold ON payment_refunds (tell_at) WHERE tell_at IS NOT NULL;
`,
  down: `
  DROP TABLE payment_refunds, payment_audit, payment_callbacks, payment_inbox, payments, payment_orders;
`,
});
