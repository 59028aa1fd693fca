import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payment account into which the fees of a lender's instant loans go, sealed. */
export class FeeAccounts1764500230000 implements MigrationInterface {
  name = 'FeeAccounts1764500230000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE lenders ADD payment_sealed text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE lenders DROP payment_sealed');
  }
}
