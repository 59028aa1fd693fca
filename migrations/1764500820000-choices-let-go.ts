import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a choice was let go. The indexes follow in migrations of their own: nobody can look at the redirects
 * while a column is added.
 */
export class ChoicesLetGo1764500820000 implements MigrationInterface {
  name = 'ChoicesLetGo1764500820000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_redirects ADD let_go_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_redirects DROP let_go_at');
  }
}
