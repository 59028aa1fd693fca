import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/**
 * The third step: the log as it is becomes the partition of everything up to the bound, in a table of the same name.
 * Neither a row nor an index is read for it. The service makes and drops the weeks.
 */
export class WeeksOfAttempts1764700822000 implements MigrationInterface {
  name = 'WeeksOfAttempts1764700822000';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'webhook_attempts');
    await runner.query(PARTED);
    await runner.query(ATTACHED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(WHOLE);
  }
}

const PARTED = `
  ALTER TABLE webhook_attempts RENAME TO webhook_attempts_earlier;
  ALTER INDEX webhook_attempts_pkey RENAME TO webhook_attempts_earlier_pkey;
  CREATE TABLE webhook_attempts (
    LIKE webhook_attempts_earlier,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
  ) PARTITION BY RANGE (delivery_id);
  CREATE TABLE webhook_attempts_rest PARTITION OF webhook_attempts DEFAULT;
`;

// A log without a row, as in a new database, is not needed: its weeks begin with this one.
const ATTACHED = `
  DO $$
  BEGIN
    IF EXISTS (SELECT FROM webhook_attempts_earlier) THEN
      EXECUTE format(
        'ALTER TABLE webhook_attempts ATTACH PARTITION webhook_attempts_earlier
           FOR VALUES FROM (MINVALUE) TO (%L)',
        (SELECT substring(pg_get_constraintdef(oid) FROM 'dlv_[0-9a-f]{12}') FROM pg_constraint
         WHERE conrelid = 'webhook_attempts_earlier'::regclass
           AND conname = 'webhook_attempts_earlier'));
      ALTER TABLE webhook_attempts_earlier DROP CONSTRAINT webhook_attempts_earlier;
    ELSE
      DROP TABLE webhook_attempts_earlier;
    END IF;
  END
  $$
`;

const WHOLE = `
  CREATE TABLE webhook_attempts_whole (LIKE webhook_attempts);
  INSERT INTO webhook_attempts_whole SELECT * FROM webhook_attempts;
  DROP TABLE webhook_attempts;
  ALTER TABLE webhook_attempts_whole RENAME TO webhook_attempts;
  ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt);
`;
