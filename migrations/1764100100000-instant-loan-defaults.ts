import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a new application has without being told: its first status, and its times by the database's clock. */
export class InstantLoanDefaults1764100100000 implements MigrationInterface {
  name = 'InstantLoanDefaults1764100100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE instant_loans ALTER status SET DEFAULT 'PAYMENT_PENDING',
        ALTER updated_at SET DEFAULT app_now()`);
    await runner.query('ALTER TABLE instant_loan_audit ALTER created_at SET DEFAULT app_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE instant_loan_audit ALTER created_at DROP DEFAULT');
    await runner.query(
      'ALTER TABLE instant_loans ALTER updated_at DROP DEFAULT, ALTER status DROP DEFAULT',
    );
  }
}
