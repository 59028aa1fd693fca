import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The SMS and payment gateways of the configuration in force; null until one is applied. */
export class Gateways1763800000000 implements MigrationInterface {
  name = 'Gateways1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE configuration ADD COLUMN gateways_sealed text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE configuration DROP COLUMN gateways_sealed');
  }
}
