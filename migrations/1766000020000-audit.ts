import { baseline, PLACEHOLDER } from './baseline.js';

/** The chains of the audit and the signed roots of their days. */
export const Audit1766000020000 = baseline('Audit1766000020000', {
  up: `
  CREATE FUNCTION chain_audit_row() RETURNS trigger LANGUAGE plpgsql AS '${PLACEHOLDER}';

  CREATE TABLE audit_entries (
    subject_id text NOT NULL,
    position integer NOT NULL,
    entry text NOT NULL,
    hash bytea NOT NULL,
    joined_at timestamptz NOT NULL,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (subject_id, position)
  );
  CREATE INDEX audit_entries_by_time ON audit_entries USING brin (joined_at) WITH (pages_per_range = 32,
    autosummarize = on);

  CREATE TABLE audit_roots (
    number integer PRIMARY KEY,
    day date NOT NULL,
    tree_size integer NOT NULL,
    root text NOT NULL,
    signed_root text NOT NULL,
    signed_at timestamptz NOT NULL DEFAULT app_now()
  );

  CREATE TABLE audit_leaves (
    subject_id text NOT NULL,
    root_number integer NOT NULL,
    leaf_index integer NOT NULL,
    position integer NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_leaves_pkey PRIMARY KEY (subject_id, root_number)
  );
  CREATE UNIQUE INDEX audit_leaves_of_root ON audit_leaves (root_number, leaf_index);
`,
  down: `
  DROP TABLE audit_leaves, audit_roots, audit_entries;
  DROP FUNCTION chain_audit_row();
`,
});
