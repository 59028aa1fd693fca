import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The simulated gateway's refunds: one a payment. By itself: nothing waits for it with a row held. */
export class SandboxRefunds1764500220000 implements MigrationInterface {
  name = 'SandboxRefunds1764500220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'ALTER TABLE sandbox_payments ADD refund_reference text, ADD refunded_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE sandbox_payments DROP refund_reference, DROP refunded_at');
  }
}
