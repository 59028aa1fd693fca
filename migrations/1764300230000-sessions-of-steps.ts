import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which steps a session covers, and until when it can be used. */
export class SessionsOfSteps1764300230000 implements MigrationInterface {
  name = 'SessionsOfSteps1764300230000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE journey_redirects ADD covers text[] NOT NULL DEFAULT '{}',
        ADD session_number integer NOT NULL DEFAULT 1,
        ADD session_expires_at timestamptz
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE journey_redirects DROP session_expires_at, DROP session_number, DROP covers
    `);
  }
}
