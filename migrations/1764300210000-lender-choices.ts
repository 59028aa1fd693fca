import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The lenders' own references of applications and loans, what a payout was, and which steps a session
 * covers and until when it can be used.
 */
export class LenderChoices1764300210000 implements MigrationInterface {
  name = 'LenderChoices1764300210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE lender_references (
        lender_code text NOT NULL,
        kind text NOT NULL
          CONSTRAINT lender_references_kind CHECK (kind IN ('APPLICATION', 'LOAN')),
        reference text NOT NULL,
        subject_id text NOT NULL,
        application_id text NOT NULL,
        partner_id text NOT NULL,
        CONSTRAINT lender_references_pkey PRIMARY KEY (lender_code, kind, reference, subject_id)
      )
    `);
    await runner.query(
      'CREATE INDEX lender_references_of_application ON lender_references (application_id)',
    );
    await runner.query('ALTER TABLE journeys ADD payout jsonb');
    await runner.query('ALTER TABLE journey_intents ADD told_sealed text');
    await runner.query(`
      ALTER TABLE journey_redirects ADD covers text[] NOT NULL DEFAULT '{}',
        ADD session_number integer NOT NULL DEFAULT 1,
        ADD session_expires_at timestamptz
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE journey_redirects DROP session_expires_at, DROP session_number, DROP covers
    `);
    await runner.query('ALTER TABLE journey_intents DROP told_sealed');
    await runner.query('ALTER TABLE journeys DROP payout');
    await runner.query('DROP TABLE lender_references');
  }
}
