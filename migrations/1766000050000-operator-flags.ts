import { baseline } from './baseline.js';

/** Flags: problems that wait for the operator. */
export const OperatorFlags1766000050000 = baseline('OperatorFlags1766000050000', {
  up: `
  CREATE TABLE operator_flags (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    resolved_at timestamptz,
    cause text NOT NULL,
    count integer NOT NULL DEFAULT 1,
    last_seen_at timestamptz NOT NULL DEFAULT app_now(),
    note text,
    resolved_by text
  );
  CREATE INDEX operator_flags_of_subject ON operator_flags (subject_id);
  CREATE UNIQUE INDEX operator_flags_one_open ON operator_flags (subject_id, kind, cause) WHERE resolved_at IS NULL;
  CREATE INDEX operator_flags_open ON operator_flags (created_at) WHERE resolved_at IS NULL;
`,
  down: `
  DROP TABLE operator_flags;
`,
});
