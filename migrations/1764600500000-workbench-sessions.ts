import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to the partners' workbench and the sessions that they open. */
export class WorkbenchSessions1764600500000 implements MigrationInterface {
  name = 'WorkbenchSessions1764600500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE workbench_sessions (
        link_hash text NOT NULL,
        partner_id text NOT NULL,
        key_id text NOT NULL,
        link_expires_at timestamptz NOT NULL,
        token_hash text,
        opened_at timestamptz,
        expires_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL,
        CONSTRAINT workbench_sessions_pkey PRIMARY KEY (link_hash),
        CONSTRAINT workbench_sessions_key FOREIGN KEY (key_id) REFERENCES api_keys (id),
        CONSTRAINT workbench_sessions_opened
          CHECK (num_nonnulls(token_hash, opened_at, expires_at) IN (0, 3))
      )
    `);
    await runner.query(
      'CREATE UNIQUE INDEX workbench_sessions_by_token ON workbench_sessions (token_hash)',
    );
    await runner.query('CREATE INDEX workbench_sessions_by_age ON workbench_sessions (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE workbench_sessions');
  }
}
