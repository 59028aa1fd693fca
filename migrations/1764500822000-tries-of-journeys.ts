import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What `journey_redirects_once_a_choice` has taken the place of. */
export class TriesOfJourneys1764500822000 implements MigrationInterface {
  name = 'TriesOfJourneys1764500822000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX journey_redirects_once');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    // Those of a choice that was let go would stand in each other's way.
    await runner.query('DELETE FROM journey_redirects WHERE let_go_at IS NOT NULL');
    await runner.query(`
      CREATE UNIQUE INDEX journey_redirects_once ON journey_redirects (journey_id, step, attempt)
    `);
  }
}
