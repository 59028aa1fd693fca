import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was sent of a question that has no verdict yet, and since when it fails. */
export class KeptQuestions1764300600000 implements MigrationInterface {
  name = 'KeptQuestions1764300600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE lender_questions ADD sent_sealed text,
        ADD failing_since timestamptz,
        ADD flagged_at timestamptz
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'ALTER TABLE lender_questions DROP flagged_at, DROP failing_since, DROP sent_sealed',
    );
  }
}
