import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What moves at every attempt goes into two small tables of its own: `webhook_lanes`, one row a
 * subscription, and `webhook_queue`, one row an open delivery. `webhook_deliveries` keeps the record.
 */
export class WebhookDelivery1763800500000 implements MigrationInterface {
  name = 'WebhookDelivery1763800500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(LANES);
    await runner.query(QUEUE);
    await runner.query(DELIVERIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(DELIVERIES_BACK);
    await runner.query(LANES_BACK);
    await runner.query('DROP TABLE webhook_queue, webhook_lanes');
  }
}

// A sender takes a lane for a while (lease_until) and sends what is due on it; whoever takes it from
// another raises lease_token, and what the earlier holder reports is void. So a claim writes one row
// a subscription, and none a delivery. Half of each page stays free, so that a change of these narrow
// rows, none of whose columns is indexed, stays on its page and touches no index.
const LANES = `
  CREATE TABLE webhook_lanes (
    subscription_id text PRIMARY KEY,
    partner_id text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    inactive_since timestamptz,
    failure_count integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    last_delivery_at timestamptz,
    probe_at timestamptz,
    probe_wait_seconds integer,
    last_served_at timestamptz,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    CONSTRAINT webhook_lanes_subscription FOREIGN KEY (subscription_id)
      REFERENCES webhook_subscriptions (id),
    CONSTRAINT webhook_lanes_inactive CHECK (is_active = (inactive_since IS NULL)),
    CONSTRAINT webhook_lanes_probe CHECK ((probe_at IS NULL) = (probe_wait_seconds IS NULL))
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  INSERT INTO webhook_lanes (subscription_id, partner_id, is_active, inactive_since, failure_count,
    failing_since, last_delivery_at)
  SELECT id, partner_id, is_active, CASE WHEN is_active THEN NULL ELSE app_now() END, failure_count,
    failing_since, last_delivery_at
  FROM webhook_subscriptions WHERE deleted_at IS NULL;

  ALTER TABLE webhook_subscriptions DROP COLUMN is_active, DROP COLUMN failure_count,
    DROP COLUMN failing_since, DROP COLUMN last_delivery_at;
`;

// A row here is what makes a delivery open. No foreign key to the delivery, whose row it would lock
// at every publishing; both are written by one statement. The two indexes part the rows, so that
// first attempts are found without looking at a crowd of retries.
const QUEUE = `
  CREATE TABLE webhook_queue (
    delivery_id text PRIMARY KEY,
    partner_id text NOT NULL,
    subscription_id text NOT NULL,
    event_id text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX webhook_queue_first ON webhook_queue (subscription_id, next_attempt_at)
    WHERE attempts = 0;
  CREATE INDEX webhook_queue_again ON webhook_queue (subscription_id, next_attempt_at)
    WHERE attempts > 0;

  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, attempts,
    next_attempt_at)
  SELECT id, partner_id, subscription_id, event_id, attempts, next_attempt_at
  FROM webhook_deliveries WHERE status IN ('PENDING', 'PAUSED');
`;

// That a delivery is paused follows from its lane, so going inactive and coming back touch one row.
// No index holds what changes at an attempt: half of each page stays free, and the change stays there.
const DELIVERIES = `
  DROP INDEX webhook_deliveries_due, webhook_deliveries_leased, webhook_deliveries_paused,
    webhook_deliveries_finished;
  UPDATE webhook_deliveries SET status = 'PENDING' WHERE status = 'PAUSED';
  ALTER TABLE webhook_deliveries DROP COLUMN next_attempt_at, DROP COLUMN lease_token,
    DROP COLUMN lease_until, DROP CONSTRAINT webhook_deliveries_status,
    ADD CONSTRAINT webhook_deliveries_status
      CHECK (status IN ('PENDING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED')),
    SET (fillfactor = 50);
  CREATE INDEX webhook_deliveries_by_subscription ON webhook_deliveries (subscription_id, id);
`;

const DELIVERIES_BACK = `
  DROP INDEX webhook_deliveries_by_subscription;
  ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_status,
    ADD CONSTRAINT webhook_deliveries_status
      CHECK (status IN ('PENDING', 'SUCCEEDED', 'EXHAUSTED', 'PAUSED', 'CANCELLED')),
    ADD COLUMN next_attempt_at timestamptz, ADD COLUMN lease_token bigint NOT NULL DEFAULT 0,
    ADD COLUMN lease_until timestamptz, RESET (fillfactor);
  UPDATE webhook_deliveries d SET next_attempt_at =
    coalesce((SELECT q.next_attempt_at FROM webhook_queue q WHERE q.delivery_id = d.id),
      d.finished_at, app_now());
  UPDATE webhook_deliveries d SET status = 'PAUSED' FROM webhook_lanes l
    WHERE l.subscription_id = d.subscription_id AND NOT l.is_active AND d.status = 'PENDING';
  ALTER TABLE webhook_deliveries ALTER next_attempt_at SET NOT NULL;
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, next_attempt_at)
    WHERE status = 'PENDING';
  CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (subscription_id)
    WHERE lease_until IS NOT NULL;
  CREATE INDEX webhook_deliveries_paused ON webhook_deliveries (subscription_id, created_at)
    WHERE status = 'PAUSED';
  CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at)
    WHERE finished_at IS NOT NULL;
`;

const LANES_BACK = `
  ALTER TABLE webhook_subscriptions ADD COLUMN is_active boolean NOT NULL DEFAULT true,
    ADD COLUMN failure_count integer NOT NULL DEFAULT 0, ADD COLUMN failing_since timestamptz,
    ADD COLUMN last_delivery_at timestamptz;
  UPDATE webhook_subscriptions s SET is_active = l.is_active, failure_count = l.failure_count,
    failing_since = l.failing_since, last_delivery_at = l.last_delivery_at
  FROM webhook_lanes l WHERE l.subscription_id = s.id;
`;
