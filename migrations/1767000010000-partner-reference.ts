import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** The partner's own reference of a loan, and where its applicant may return. */
export class PartnerReference1767000010000 implements MigrationInterface {
  readonly name = 'PartnerReference1767000010000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['partners', 'api_keys', 'journeys', 'applications']) {
      await lockBriefly(runner, table);
    }
    await runner.query(`
  ALTER TABLE partners ADD COLUMN return_origins text[] NOT NULL DEFAULT '{}';
  ALTER TABLE api_keys ADD COLUMN unique_client_references boolean NOT NULL DEFAULT false;
  ALTER TABLE journeys ADD COLUMN reference_sealed text;
  ALTER TABLE applications
    ADD COLUMN reference_sealed text,
    ADD COLUMN reference_hash text,
    ADD COLUMN is_reference_unique boolean NOT NULL DEFAULT false;
  CREATE INDEX applications_by_reference
    ON applications (partner_id, reference_hash, submitted_at, id) WHERE reference_hash IS NOT NULL;
  CREATE UNIQUE INDEX applications_reference_once
    ON applications (partner_id, reference_hash) WHERE is_reference_unique;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
  DROP INDEX applications_reference_once, applications_by_reference;
  ALTER TABLE applications
    DROP COLUMN is_reference_unique, DROP COLUMN reference_hash, DROP COLUMN reference_sealed;
  ALTER TABLE journeys DROP COLUMN reference_sealed;
  ALTER TABLE api_keys DROP COLUMN unique_client_references;
  ALTER TABLE partners DROP COLUMN return_origins;
    `);
  }
}
