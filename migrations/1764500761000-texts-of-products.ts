import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What products are called in other languages; replicas of the earlier release leave it empty. */
export class TextsOfProducts1764500761000 implements MigrationInterface {
  name = 'TextsOfProducts1764500761000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE products ADD texts jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE products DROP texts');
  }
}
