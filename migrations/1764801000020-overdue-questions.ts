import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** When the operator was notified that a question has no answer. */
export class OverdueQuestions1764801000020 implements MigrationInterface {
  name = 'OverdueQuestions1764801000020';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'lender_questions');
    await runner.query('ALTER TABLE lender_questions ADD COLUMN overdue_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'lender_questions');
    await runner.query('ALTER TABLE lender_questions DROP COLUMN overdue_at');
  }
}
