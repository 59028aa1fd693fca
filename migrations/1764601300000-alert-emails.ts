import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partners are told of their webhooks and keys by e-mail, too, where the configuration has addresses. */
export class AlertEmails1764601300000 implements MigrationInterface {
  name = 'AlertEmails1764601300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`ALTER TABLE partners ADD COLUMN alert_emails text[] NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE TABLE webhook_alert_emails (
        event_id text NOT NULL,
        partner_id text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
        CONSTRAINT webhook_alert_emails_pkey PRIMARY KEY (event_id),
        CONSTRAINT webhook_alert_emails_partner FOREIGN KEY (partner_id) REFERENCES partners (id)
      )
    `);
    await runner.query(
      'CREATE INDEX webhook_alert_emails_due ON webhook_alert_emails (next_attempt_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE webhook_alert_emails');
    await runner.query('ALTER TABLE partners DROP COLUMN alert_emails');
  }
}
