import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a payout was. By itself: nobody who holds a journey's row waits for a migration that wants it. */
export class Payouts1764300220000 implements MigrationInterface {
  name = 'Payouts1764300220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journeys ADD payout jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE journeys DROP payout');
  }
}
