import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that tell of no journey: what partners are told of their own webhooks and keys. */
export class WebhookAlerts1764600690000 implements MigrationInterface {
  name = 'WebhookAlerts1764600690000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE webhook_events
        ALTER COLUMN journey_id DROP NOT NULL, ALTER COLUMN sequence DROP NOT NULL
    `);
    await runner.query(`
      ALTER TABLE webhook_lanes ADD COLUMN fails_journey_events boolean NOT NULL DEFAULT false
    `);
    await runner.query(ALERTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE webhook_alerts');
    await runner.query(DELETE_ALERTS);
    await runner.query('ALTER TABLE webhook_lanes DROP COLUMN fails_journey_events');
    await runner.query(`
      ALTER TABLE webhook_events
        ALTER COLUMN journey_id SET NOT NULL, ALTER COLUMN sequence SET NOT NULL
    `);
  }
}

const ALERTS = `
  CREATE TABLE webhook_alerts (
    partner_id text NOT NULL,
    name text NOT NULL,
    subject_id text NOT NULL,
    since timestamptz NOT NULL,
    event_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT webhook_alerts_pkey PRIMARY KEY (partner_id, name, subject_id, since),
    CONSTRAINT webhook_alerts_partner FOREIGN KEY (partner_id) REFERENCES partners (id)
  )
`;

const DELETE_ALERTS = `
  WITH alert AS (DELETE FROM webhook_events WHERE journey_id IS NULL RETURNING id),
  delivery AS (
    DELETE FROM webhook_deliveries d USING alert WHERE d.event_id = alert.id RETURNING d.id
  ),
  queued AS (DELETE FROM webhook_queue q USING delivery WHERE q.delivery_id = delivery.id)
  DELETE FROM webhook_attempts a USING delivery WHERE a.delivery_id = delivery.id
`;
