import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** One open flag for each kind, cause and subject. Flags of earlier releases have no cause and stay as they are. */
export class OneOpenFlag1764701000030 implements MigrationInterface {
  name = 'OneOpenFlag1764701000030';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'operator_flags');
    await runner.query(`
      ALTER TABLE operator_flags
        ADD COLUMN cause text,
        ADD COLUMN count integer NOT NULL DEFAULT 1,
        ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT app_now()`);
    await runner.query('UPDATE operator_flags SET last_seen_at = created_at');
    await runner.query(`
      CREATE UNIQUE INDEX operator_flags_one_open ON operator_flags (subject_id, kind, cause)
      WHERE resolved_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'operator_flags');
    await runner.query('DROP INDEX operator_flags_one_open');
    await runner.query(
      'ALTER TABLE operator_flags DROP COLUMN cause, DROP COLUMN count, DROP COLUMN last_seen_at',
    );
  }
}
