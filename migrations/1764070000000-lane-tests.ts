import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a lane was last read for a test event, for which its deletion waits. */
export class LaneTests1764070000000 implements MigrationInterface {
  name = 'LaneTests1764070000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes ADD COLUMN tested_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes DROP COLUMN tested_at');
  }
}
