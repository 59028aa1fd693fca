import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In whose account an order is paid. Each table by itself: nobody waits for one with another in hand. */
export class AccountsOfOrders1764500240000 implements MigrationInterface {
  name = 'AccountsOfOrders1764500240000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payment_orders ADD account text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payment_orders DROP account');
  }
}
