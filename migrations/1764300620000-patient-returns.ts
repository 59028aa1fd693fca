import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a lender is not asked again because its applicant is said to be back. */
export class PatientReturns1764300620000 implements MigrationInterface {
  name = 'PatientReturns1764300620000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_redirects ADD ask_again_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_redirects DROP ask_again_at');
  }
}
