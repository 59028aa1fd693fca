import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether the lender of an application keeps its fee when it declines, as the applicant was told, and
 * in which language the applicant is written to.
 */
export class FeesOnDecline1764500210000 implements MigrationInterface {
  name = 'FeesOnDecline1764500210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE instant_loans ADD fee_on_decline text, ADD sms_language text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE instant_loans DROP fee_on_decline, DROP sms_language');
  }
}
