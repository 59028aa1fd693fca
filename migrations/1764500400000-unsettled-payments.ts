import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which payments are neither kept nor given back yet. The rows of the earlier release are among them,
 * and so are those that its replicas still write: they know of no refunds. Both columns are added
 * with a default that is read once, so no row is rewritten.
 */
export class UnsettledPayments1764500400000 implements MigrationInterface {
  name = 'UnsettledPayments1764500400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE payments
        ADD unsettled_at timestamptz DEFAULT app_now(),
        ADD refunds_since timestamptz DEFAULT app_now()
    `);
    await runner.query('ALTER TABLE payments ALTER refunds_since DROP DEFAULT');
    await runner.query(`
      CREATE INDEX payments_unsettled ON payments (unsettled_at) WHERE unsettled_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE payments DROP unsettled_at, DROP refunds_since');
  }
}
