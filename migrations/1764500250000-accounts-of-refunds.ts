import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From whose account a payment goes back: the one that it was made to. */
export class AccountsOfRefunds1764500250000 implements MigrationInterface {
  name = 'AccountsOfRefunds1764500250000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payment_refunds ADD account text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payment_refunds DROP account');
  }
}
