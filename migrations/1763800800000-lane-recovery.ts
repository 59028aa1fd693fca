import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * That a lane works again is kept until what waited for a retry on it has been made due: whoever was
 * to do so may be killed before.
 */
export class LaneRecovery1763800800000 implements MigrationInterface {
  name = 'LaneRecovery1763800800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes ADD COLUMN recovered_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes DROP COLUMN recovered_at');
  }
}
