import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/**
 * The first of three steps that make the log of attempts one by weeks without copying a row: a bound for what is in
 * it until then, two weeks ahead at least, so that nothing is refused meanwhile. New rows are held to it, those
 * that are there are not read.
 */
export class BoundOfAttempts1764700820000 implements MigrationInterface {
  name = 'BoundOfAttempts1764700820000';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'webhook_attempts');
    await runner.query(BOUND);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'ALTER TABLE webhook_attempts DROP CONSTRAINT IF EXISTS webhook_attempts_earlier',
    );
  }
}

// Weeks are counted from 1 January 1970; an id begins with its milliseconds.
const BOUND = `
  DO $$
  DECLARE
    week_ms bigint := 7 * 86400000;
    now_ms bigint := extract(epoch FROM app_now()) * 1000;
  BEGIN
    EXECUTE format(
      'ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_earlier
         CHECK (delivery_id < %L) NOT VALID',
      'dlv_' || lpad(to_hex((now_ms / week_ms + 3) * week_ms), 12, '0'));
  END
  $$
`;
