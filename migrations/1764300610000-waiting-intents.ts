import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an action that was left open is asked about again, whom, and in which words. */
export class WaitingIntents1764300610000 implements MigrationInterface {
  name = 'WaitingIntents1764300610000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE journey_intents ADD sent_sealed text,
        ADD lender_code text,
        ADD times_asked integer NOT NULL DEFAULT 0,
        ADD asked_at timestamptz,
        ADD next_attempt_at timestamptz
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE journey_intents DROP next_attempt_at, DROP asked_at, DROP times_asked,
        DROP lender_code, DROP sent_sealed
    `);
  }
}
