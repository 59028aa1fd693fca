import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** Who resolved a flag by hand, and what they wrote. */
export class FlagNotes1764801000010 implements MigrationInterface {
  name = 'FlagNotes1764801000010';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'operator_flags');
    await runner.query(
      'ALTER TABLE operator_flags ADD COLUMN note text, ADD COLUMN resolved_by text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'operator_flags');
    await runner.query('ALTER TABLE operator_flags DROP COLUMN note, DROP COLUMN resolved_by');
  }
}
