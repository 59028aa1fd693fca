import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a gateway turns a refund down, in a row: what it was silent about does not count. */
export class RefusalsOfRefunds1764500401000 implements MigrationInterface {
  name = 'RefusalsOfRefunds1764500401000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payment_refunds ADD refused_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payment_refunds DROP refused_since');
  }
}
