import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions, the events (an outbox), their deliveries and the log of attempts. */
export class Webhooks1763700100000 implements MigrationInterface {
  name = 'Webhooks1763700100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(SUBSCRIPTIONS);
    await runner.query(EVENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE webhook_attempts, webhook_deliveries, webhook_events, webhook_subscriptions
    `);
  }
}

// events NULL: every event, those added later too. Deleting wipes the secrets; the row stays for
// what its deliveries tell.
const SUBSCRIPTIONS = `
  CREATE TABLE webhook_subscriptions (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    url text NOT NULL,
    events text[],
    secret_sealed text,
    previous_secret_sealed text,
    previous_secret_until timestamptz,
    is_active boolean NOT NULL DEFAULT true,
    failure_count integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    last_delivery_at timestamptz,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CONSTRAINT webhook_subscriptions_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT webhook_subscriptions_secret
      CHECK ((secret_sealed IS NULL) = (deleted_at IS NOT NULL))
  );
  CREATE INDEX webhook_subscriptions_live ON webhook_subscriptions (partner_id)
    WHERE deleted_at IS NULL;
`;

// body is stored once, as text; every attempt sends those bytes.
//
// A PENDING delivery may be claimed once next_attempt_at has come; a claim puts it to the end of the
// lease, so that a leased delivery is simply one that is not due. Whoever claims raises lease_token,
// and what an earlier holder reports under a lower one is void.
const EVENTS = `
  CREATE TABLE webhook_events (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    name text NOT NULL,
    sequence integer NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX webhook_events_by_journey ON webhook_events (journey_id, sequence);
  CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

  CREATE TABLE webhook_deliveries (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subscription_id text NOT NULL,
    event_id text NOT NULL,
    status text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT webhook_deliveries_subscription FOREIGN KEY (subscription_id)
      REFERENCES webhook_subscriptions (id),
    CONSTRAINT webhook_deliveries_event FOREIGN KEY (event_id) REFERENCES webhook_events (id),
    CONSTRAINT webhook_deliveries_status
      CHECK (status IN ('PENDING', 'SUCCEEDED', 'EXHAUSTED', 'PAUSED', 'CANCELLED'))
  );
  CREATE UNIQUE INDEX webhook_deliveries_by_event
    ON webhook_deliveries (event_id, subscription_id);
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, next_attempt_at)
    WHERE status = 'PENDING';
  CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (subscription_id)
    WHERE lease_until IS NOT NULL;
  CREATE INDEX webhook_deliveries_paused ON webhook_deliveries (subscription_id, created_at)
    WHERE status = 'PAUSED';
  CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at)
    WHERE finished_at IS NOT NULL;

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
  );
`;
