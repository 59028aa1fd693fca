import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The second step: all rows are read for the bound, while they are read and written on. */
export class BoundedAttempts1764700821000 implements MigrationInterface {
  name = 'BoundedAttempts1764700821000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_attempts VALIDATE CONSTRAINT webhook_attempts_earlier');
  }

  async down(): Promise<void> {}
}
