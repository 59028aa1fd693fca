import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** Since when a lender's answer is awaited. A question that is open now gets a time when it is next put. */
export class AwaitedSince1764803000020 implements MigrationInterface {
  name = 'AwaitedSince1764803000020';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'lender_questions');
    await runner.query('ALTER TABLE lender_questions ADD COLUMN awaited_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'lender_questions');
    await runner.query('ALTER TABLE lender_questions DROP COLUMN awaited_since');
  }
}
