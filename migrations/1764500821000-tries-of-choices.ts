import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The visits to the lender of a choice that was let go: those to the next lender are counted from 1 again.
 * The indexes are built in a transaction of their own: redirects are read on meanwhile.
 */
export class TriesOfChoices1764500821000 implements MigrationInterface {
  name = 'TriesOfChoices1764500821000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'CREATE INDEX journey_redirects_by_journey ON journey_redirects (journey_id)',
    );
    await runner.query(`
      CREATE UNIQUE INDEX journey_redirects_once_a_choice
        ON journey_redirects (journey_id, step, attempt) WHERE let_go_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX journey_redirects_once_a_choice');
    await runner.query('DROP INDEX journey_redirects_by_journey');
  }
}
