import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The visits to the lender of a choice that was let go: those to the next lender are counted from 1 again. */
export class ChoicesLetGo1764500820000 implements MigrationInterface {
  name = 'ChoicesLetGo1764500820000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journey_redirects ADD let_go_at timestamptz');
    await runner.query('DROP INDEX journey_redirects_once');
    await runner.query(`
      CREATE UNIQUE INDEX journey_redirects_once ON journey_redirects (journey_id, step, attempt)
        WHERE let_go_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX journey_redirects_once');
    // Those of a choice that was let go would stand in each other's way.
    await runner.query('DELETE FROM journey_redirects WHERE let_go_at IS NOT NULL');
    await runner.query(`
      CREATE UNIQUE INDEX journey_redirects_once ON journey_redirects (journey_id, step, attempt)
    `);
    await runner.query('ALTER TABLE journey_redirects DROP let_go_at');
  }
}
