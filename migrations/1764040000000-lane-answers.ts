import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long a lane's receiver takes to answer, by which the slots are parted among the lanes. */
export class LaneAnswers1764040000000 implements MigrationInterface {
  name = 'LaneAnswers1764040000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes ADD COLUMN answer_ms real');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_lanes DROP COLUMN answer_ms');
  }
}
