import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a provider last said of a redirect step: whether its session still waits for the applicant. */
export class OpenSessions1764060000000 implements MigrationInterface {
  name = 'OpenSessions1764060000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'ALTER TABLE lender_questions ADD COLUMN is_session_open boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE lender_questions DROP COLUMN is_session_open');
  }
}
