import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A partner's word may say which text it has shown; a text stands only where the lenders in it are known. */
export class NamedLenders1764500410000 implements MigrationInterface {
  name = 'NamedLenders1764500410000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    // Checked by the next migration, without this lock.
    await runner.query(`
      ALTER TABLE consent_log
        DROP CONSTRAINT consent_log_text,
        ADD CONSTRAINT consent_log_text CHECK (
          num_nonnulls(text_version, language) = CASE WHEN basis = 'TEXT' THEN 2
            ELSE 2 * num_nonnulls(text_version) END
          AND num_nonnulls(shown_text, text_hash) = CASE WHEN basis = 'TEXT' THEN 2 ELSE 0 END) NOT VALID
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE consent_log
        DROP CONSTRAINT consent_log_text,
        ADD CONSTRAINT consent_log_text CHECK (
          num_nonnulls(text_version, language, shown_text, text_hash)
            = CASE WHEN basis = 'TEXT' THEN 4 ELSE 0 END) NOT VALID
    `);
  }
}
