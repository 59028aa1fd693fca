import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sandbox's clock and its simulated providers' visits. Sandboxes of earlier releases made these
 * tables at their start and have them; in production they stay empty, and `app_now()` reads neither.
 */
export class SandboxTables1764100410000 implements MigrationInterface {
  name = 'SandboxTables1764100410000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(CLOCK);
    await runner.query(SESSIONS);
  }

  /** A sandbox's `app_now()` must not go on reading a table that is gone. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT clock_timestamp()
      $$;
      DROP TABLE sandbox_sessions, sandbox_clock;
    `);
  }
}

const CLOCK = `
  CREATE TABLE IF NOT EXISTS sandbox_clock (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    offset_ms bigint NOT NULL DEFAULT 0
  );
`;

const SESSIONS = `
  CREATE TABLE IF NOT EXISTS sandbox_sessions (
    reference text PRIMARY KEY,
    step text NOT NULL,
    lender_code text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    attempt integer NOT NULL,
    pan_sealed text NOT NULL,
    return_url text NOT NULL,
    decision text,
    created_at timestamptz NOT NULL DEFAULT app_now()
  );
  ALTER TABLE sandbox_sessions ADD COLUMN IF NOT EXISTS agreement jsonb;
`;
