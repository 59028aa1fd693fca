import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Holds the applications against their checks in a transaction of its own: reads and writes go on meanwhile. */
export class CheckedInstantLoans1764500601000 implements MigrationInterface {
  name = 'CheckedInstantLoans1764500601000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE instant_loans VALIDATE CONSTRAINT instant_loans_paid');
    await runner.query('ALTER TABLE instant_loans VALIDATE CONSTRAINT instant_loans_chosen');
  }

  /** A check that holds cannot be made one that was not looked at, and need not. */
  async down(): Promise<void> {
    // Nothing to undo.
  }
}
