import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The lenders' own references of applications and loans, and what a lender is told of a choice. What
 * actions hold beside one another is changed by one migration each: none waits for one table with
 * another in its hands.
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
    await runner.query('ALTER TABLE journey_intents ADD told_sealed text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_intents DROP told_sealed');
    await runner.query('DROP TABLE lender_references');
  }
}
