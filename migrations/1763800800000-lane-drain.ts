import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * That a lane works again stands with it until what waited for a retry on it has been made due: whoever
 * was to do so may be killed before.
 */
export class LaneDrain1763800800000 implements MigrationInterface {
  name = 'LaneDrain1763800800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes ADD COLUMN drain_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes DROP COLUMN drain_since');
  }
}
