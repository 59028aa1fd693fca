import { baseline } from './baseline.js';

/** Subscriptions, events and deliveries. */
export const Webhooks1766000150000 = baseline('Webhooks1766000150000', {
  up: `
  CREATE TABLE webhook_subscriptions (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    url text NOT NULL,
    events text[],
    secret_sealed text,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    deleted_at timestamptz,
    previous_secrets jsonb NOT NULL DEFAULT '[]',
    CONSTRAINT webhook_subscriptions_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT webhook_subscriptions_secret CHECK ((secret_sealed IS NULL) = (deleted_at IS NOT NULL))
  );
  CREATE INDEX webhook_subscriptions_live ON webhook_subscriptions (partner_id) WHERE deleted_at IS NULL;

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
    drain_since timestamptz,
    has_succeeded boolean NOT NULL DEFAULT false,
    tested_at timestamptz,
    fails_journey_events boolean NOT NULL DEFAULT false,
    CONSTRAINT webhook_lanes_subscription FOREIGN KEY (subscription_id) REFERENCES webhook_subscriptions,
    CONSTRAINT webhook_lanes_inactive CHECK (is_active = (inactive_since IS NULL)),
    CONSTRAINT webhook_lanes_probe CHECK ((probe_at IS NULL) = (probe_wait_seconds IS NULL))
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  CREATE TABLE webhook_events (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text,
    name text NOT NULL,
    sequence integer,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    position bigint
  );
  CREATE UNIQUE INDEX webhook_events_by_journey ON webhook_events (journey_id, sequence);
  CREATE UNIQUE INDEX webhook_events_by_position ON webhook_events (partner_id, position) WHERE position IS NOT
    NULL;
  CREATE INDEX webhook_events_unplaced ON webhook_events (partner_id, id) WHERE position IS NULL;

  CREATE TABLE webhook_streams (
    partner_id text PRIMARY KEY,
    placed_to bigint NOT NULL DEFAULT 0,
    removed_to bigint NOT NULL DEFAULT 0,
    CONSTRAINT webhook_streams_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT webhook_streams_removed CHECK (removed_to <= placed_to)
  );

  CREATE TABLE webhook_deliveries (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subscription_id text NOT NULL,
    event_id text NOT NULL,
    status text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT webhook_deliveries_event FOREIGN KEY (event_id) REFERENCES webhook_events,
    CONSTRAINT webhook_deliveries_subscription FOREIGN KEY (subscription_id) REFERENCES webhook_subscriptions,
    CONSTRAINT webhook_deliveries_status CHECK (status IN ('PENDING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'))
  ) WITH (fillfactor = 50);
  CREATE UNIQUE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id, subscription_id);
  CREATE INDEX webhook_deliveries_by_subscription ON webhook_deliveries (subscription_id, id);

  CREATE TABLE webhook_queue (
    delivery_id text PRIMARY KEY,
    partner_id text NOT NULL,
    subscription_id text NOT NULL,
    event_id text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay
    = 0);
  CREATE INDEX webhook_queue_again ON webhook_queue (subscription_id, next_attempt_at, delivery_id) WHERE attempts
    > 0;
  CREATE INDEX webhook_queue_first ON webhook_queue (subscription_id, next_attempt_at, delivery_id) WHERE attempts
    = 0;

  CREATE TABLE webhook_attempts (
    delivery_id text NOT NULL,
    attempt integer NOT NULL,
    partner_id text NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms integer NOT NULL,
    response_status integer,
    response_excerpt text,
    failure text,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
  ) PARTITION BY RANGE (delivery_id);
  CREATE TABLE webhook_attempts_rest PARTITION OF webhook_attempts DEFAULT;

  CREATE TABLE webhook_alerts (
    partner_id text NOT NULL,
    name text NOT NULL,
    subject_id text NOT NULL,
    since timestamptz NOT NULL,
    event_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT webhook_alerts_pkey PRIMARY KEY (partner_id, name, subject_id, since),
    CONSTRAINT webhook_alerts_partner FOREIGN KEY (partner_id) REFERENCES partners
  );

  CREATE TABLE webhook_alert_emails (
    event_id text PRIMARY KEY,
    partner_id text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT webhook_alert_emails_partner FOREIGN KEY (partner_id) REFERENCES partners
  );
  CREATE INDEX webhook_alert_emails_due ON webhook_alert_emails (next_attempt_at);
`,
  down: `
  DROP TABLE webhook_alert_emails, webhook_alerts, webhook_attempts, webhook_queue, webhook_deliveries,
    webhook_streams, webhook_events, webhook_lanes, webhook_subscriptions;
`,
});
