import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

interface TableChange {
  readonly name: string;
  readonly table: string;
  readonly up: string;
  readonly down: string;
}

/** Changes one table that is in use all the time, in a transaction of its own. */
function change({ name, table, up, down }: TableChange): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await lockBriefly(runner, table);
      await runner.query(up);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(down);
    }
  };
}

/** The partner's own reference of a loan, where its applicant may return, and events of leads. */
export const PARTNER_REFERENCE = [
  change({
    name: 'ReturnOrigins1767000010000',
    table: 'partners',
    up: `ALTER TABLE partners ADD COLUMN return_origins text[] NOT NULL DEFAULT '{}'`,
    down: 'ALTER TABLE partners DROP COLUMN return_origins',
  }),
  change({
    name: 'UniqueReferences1767000020000',
    table: 'api_keys',
    up: 'ALTER TABLE api_keys ADD COLUMN unique_client_references boolean NOT NULL DEFAULT false',
    down: 'ALTER TABLE api_keys DROP COLUMN unique_client_references',
  }),
  change({
    name: 'JourneyReference1767000030000',
    table: 'journeys',
    up: 'ALTER TABLE journeys ADD COLUMN reference_sealed text',
    down: 'ALTER TABLE journeys DROP COLUMN reference_sealed',
  }),
  change({
    name: 'LeadReference1767000040000',
    table: 'applications',
    up: `
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
`,
    down: `
  DROP INDEX applications_reference_once, applications_by_reference;
  ALTER TABLE applications
    DROP COLUMN is_reference_unique, DROP COLUMN reference_hash, DROP COLUMN reference_sealed,
    DROP COLUMN status_changes, DROP COLUMN previous_status;
`,
  }),
  change({
    name: 'LeadEvents1767000050000',
    table: 'webhook_events',
    up: `
  ALTER TABLE webhook_events ADD COLUMN application_id text;
  CREATE UNIQUE INDEX webhook_events_by_application
    ON webhook_events (application_id, sequence) WHERE application_id IS NOT NULL;
`,
    down: `
  DROP INDEX webhook_events_by_application;
  ALTER TABLE webhook_events DROP COLUMN application_id;
`,
  }),
];
