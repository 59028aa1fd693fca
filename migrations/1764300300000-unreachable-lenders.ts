import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which questions nobody waits for, because their lender cannot be reached. */
export class UnreachableLenders1764300300000 implements MigrationInterface {
  name = 'UnreachableLenders1764300300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'ALTER TABLE lender_questions ADD is_unreachable boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE lender_questions DROP is_unreachable');
  }
}
