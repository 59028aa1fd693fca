import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The chains of the audits, the signed roots of each day, and the operator's commands. The triggers that have
 * the tables join follow, each in a migration of its own: together they would wait for each other's writers.
 */
export class AuditChain1764500300000 implements MigrationInterface {
  name = 'AuditChain1764500300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLES);
    await runner.query(AUDIT_ROW);
    await runner.query(APPEND_AUDIT_ENTRY);
    await runner.query(CHAIN_AUDIT_ROW);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER operator_commands_join_audit AFTER INSERT OR UPDATE ON operator_commands
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{}')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'DROP TABLE operator_commands, audit_leaves, audit_roots, audit_intakes, audit_entries',
    );
    await runner.query('DROP FUNCTION chain_audit_row()');
    await runner.query('DROP FUNCTION append_audit_entry(text, text, text, text)');
    await runner.query('DROP FUNCTION audit_row(jsonb, text[], text[])');
  }
}

// Entries come in the order of time: a BRIN index, which costs an insert nothing, finds those of a day.
const TABLES = `
  CREATE TABLE audit_entries (
    subject_id text NOT NULL,
    position integer NOT NULL,
    entry text NOT NULL,
    hash bytea NOT NULL,
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (subject_id, position)
  );
  CREATE INDEX audit_entries_by_time ON audit_entries USING brin (joined_at)
    WITH (pages_per_range = 32, autosummarize = on);
  CREATE TABLE audit_intakes (
    source text PRIMARY KEY,
    last_key text,
    done_at timestamptz
  );
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
    PRIMARY KEY (subject_id, root_number)
  );
  CREATE UNIQUE INDEX audit_leaves_of_root ON audit_leaves (root_number, leaf_index);
  CREATE TABLE operator_commands (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject_id text NOT NULL,
    command text NOT NULL,
    parameters jsonb NOT NULL,
    given_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now()
  )
`;

const AUDIT_ROW = `
  CREATE OR REPLACE FUNCTION audit_row(whole jsonb, sealed text[], left_out text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    name text;
  BEGIN
    whole := whole - left_out;
    FOREACH name IN ARRAY sealed LOOP
      IF whole ->> name IS NOT NULL THEN
        whole := whole || jsonb_build_object(
          name, 'sha256:' || encode(sha256(convert_to(whole ->> name, 'UTF8')), 'hex'));
      END IF;
    END LOOP;
    RETURN whole::text;
  END
  $$
`;

const APPEND_AUDIT_ENTRY = `
  CREATE OR REPLACE FUNCTION append_audit_entry(subject text, event text, source text, said_row text)
  RETURNS void LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
  DECLARE
    moment timestamptz := app_now();
    said text := format('{"at":%s,"event":"%s","source":"%s","row":%s}',
      to_json(moment), event, source, said_row);
  BEGIN
    FOR try IN 1..100 LOOP
      INSERT INTO audit_entries (subject_id, position, entry, hash, joined_at)
      SELECT subject, coalesce(head.position, 0) + 1, said,
        sha256(coalesce(head.hash, sha256(convert_to(subject, 'UTF8'))) || convert_to(said, 'UTF8')),
        moment
      FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
        SELECT e.position, e.hash FROM audit_entries AS e WHERE e.subject_id = subject COLLATE "default"
        ORDER BY e.position DESC LIMIT 1) AS head ON true
      ON CONFLICT (subject_id, position) DO NOTHING;
      IF FOUND THEN RETURN; END IF;
    END LOOP;
    RAISE serialization_failure USING MESSAGE = 'the end of an audit chain does not stand still';
  END
  $$
`;

const CHAIN_AUDIT_ROW = `
  CREATE OR REPLACE FUNCTION chain_audit_row() RETURNS trigger
  LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
  DECLARE
    whole jsonb := to_jsonb(NEW);
  BEGIN
    PERFORM append_audit_entry(whole ->> TG_ARGV[0], TG_OP, TG_TABLE_NAME,
      audit_row(whole, TG_ARGV[1]::text[], TG_ARGV[2]::text[]));
    RETURN NULL;
  END
  $$
`;
