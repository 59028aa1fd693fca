import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Holds the consents against the check in a transaction of its own: reads and writes go on meanwhile. */
export class CheckedConsents1764500411000 implements MigrationInterface {
  name = 'CheckedConsents1764500411000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE consent_log VALIDATE CONSTRAINT consent_log_text');
  }

  /** A check that holds cannot be made one that was not looked at, and need not. */
  async down(): Promise<void> {
    // Nothing to undo.
  }
}
