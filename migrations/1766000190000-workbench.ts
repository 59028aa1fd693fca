import { baseline } from './baseline.js';

/** Sign-ins of partners to the workbench. */
export const Workbench1766000190000 = baseline('Workbench1766000190000', {
  up: `
  CREATE TABLE workbench_sessions (
    link_hash text PRIMARY KEY,
    partner_id text NOT NULL,
    key_id text NOT NULL,
    link_expires_at timestamptz NOT NULL,
    token_hash text,
    opened_at timestamptz,
    expires_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT workbench_sessions_key FOREIGN KEY (key_id) REFERENCES api_keys,
    CONSTRAINT workbench_sessions_opened CHECK (num_nonnulls(token_hash, opened_at, expires_at) IN (0, 3))
  );
  CREATE INDEX workbench_sessions_by_age ON workbench_sessions (created_at);
  CREATE UNIQUE INDEX workbench_sessions_by_token ON workbench_sessions (token_hash);
`,
  down: `
  DROP TABLE workbench_sessions;
`,
});
