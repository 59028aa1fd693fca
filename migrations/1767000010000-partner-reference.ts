import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** The partner's own reference of a loan, where its applicant may return, and events of leads. */
export class PartnerReference1767000010000 implements MigrationInterface {
  readonly name = 'PartnerReference1767000010000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['partners', 'api_keys', 'journeys', 'applications', 'webhook_events']) {
      await lockBriefly(runner, table);
    }
    await runner.query(`
  ALTER TABLE partners ADD COLUMN return_origins text[] NOT NULL DEFAULT '{}';
  ALTER TABLE api_keys ADD COLUMN unique_client_references boolean NOT NULL DEFAULT false;
  ALTER TABLE journeys ADD COLUMN reference_sealed text;
  ALTER TABLE applications
    ADD COLUMN previous_status text,
    ADD COLUMN status_changes integer NOT NULL DEFAULT 0,
    ADD COLUMN reference_sealed text,
    ADD COLUMN reference_hash text,
    ADD COLUMN is_reference_unique boolean NOT NULL DEFAULT false;
  CREATE INDEX applications_by_reference
    ON applications (partner_id, reference_hash, submitted_at, id) WHERE reference_hash IS NOT NULL;
  CREATE UNIQUE INDEX applications_reference_once
    ON applications (partner_id, reference_hash) WHERE is_reference_unique;
  ALTER TABLE webhook_events ADD COLUMN application_id text;
  CREATE UNIQUE INDEX webhook_events_by_application
    ON webhook_events (application_id, sequence) WHERE application_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
  DROP INDEX webhook_events_by_application;
  ALTER TABLE webhook_events DROP COLUMN application_id;
  DROP INDEX applications_reference_once, applications_by_reference;
  ALTER TABLE applications
    DROP COLUMN is_reference_unique, DROP COLUMN reference_hash, DROP COLUMN reference_sealed,
    DROP COLUMN status_changes, DROP COLUMN previous_status;
  ALTER TABLE journeys DROP COLUMN reference_sealed;
  ALTER TABLE api_keys DROP COLUMN unique_client_references;
  ALTER TABLE partners DROP COLUMN return_origins;
    `);
  }
}
