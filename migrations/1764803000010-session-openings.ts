import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** When a redirect's session was last asked for, and where it is. */
export class SessionOpenings1764803000010 implements MigrationInterface {
  name = 'SessionOpenings1764803000010';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'journey_redirects');
    await runner.query(`
      ALTER TABLE journey_redirects
        ADD COLUMN session_asked_at timestamptz,
        ADD COLUMN session_sealed text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'journey_redirects');
    await runner.query(`
      ALTER TABLE journey_redirects DROP COLUMN session_asked_at, DROP COLUMN session_sealed`);
  }
}
