import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the applicant decided on a simulated provider's page: from then on a slow provider takes its time. */
export class SandboxDecisionTimes1764100620000 implements MigrationInterface {
  name = 'SandboxDecisionTimes1764100620000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE sandbox_sessions ADD decided_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE sandbox_sessions DROP decided_at');
  }
}
