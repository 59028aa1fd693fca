import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When, how and in which language the applicant has acknowledged a frozen statement. No row is read or
 * written while the table is locked: the next migration holds the old ones against the checks, and what an
 * earlier release has frozen stays without a mark (`KeyFactsRepository` says how it is read).
 */
export class Acknowledgements1764300400000 implements MigrationInterface {
  name = 'Acknowledgements1764300400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE key_facts_statements ADD acknowledged_hash text,
        ADD acknowledged_at timestamptz,
        ADD acknowledged_by text,
        ADD acknowledged_language text
    `);
    await runner.query(`
      ALTER TABLE key_facts_statements
        ADD CONSTRAINT key_facts_statements_acknowledged_by
          CHECK (acknowledged_by IN ('CONFIRMATION', 'REDIRECT', 'SANDBOX_RETURN')) NOT VALID,
        ADD CONSTRAINT key_facts_statements_acknowledged_language
          CHECK (acknowledged_language IN ('en', 'hi')) NOT VALID,
        ADD CONSTRAINT key_facts_statements_acknowledged
          CHECK (num_nonnulls(acknowledged_hash, acknowledged_at, acknowledged_by) IN (0, 3))
          NOT VALID
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE key_facts_statements DROP acknowledged_language, DROP acknowledged_by,
        DROP acknowledged_at, DROP acknowledged_hash
    `);
  }
}
