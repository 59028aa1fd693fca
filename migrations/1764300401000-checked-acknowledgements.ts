import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHECKS = ['acknowledged_by', 'acknowledged_language', 'acknowledged'];

/** Holds the rows against the checks in a transaction of its own: reads and writes go on meanwhile. */
export class CheckedAcknowledgements1764300401000 implements MigrationInterface {
  name = 'CheckedAcknowledgements1764300401000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    const checks = CHECKS.map((check) => `VALIDATE CONSTRAINT key_facts_statements_${check}`);
    await runner.query(`ALTER TABLE key_facts_statements ${checks.join(', ')}`);
  }

  /** A check that holds cannot be made one that was not looked at, and need not. */
  async down(): Promise<void> {
    // Nothing to undo.
  }
}
