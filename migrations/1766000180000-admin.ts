import { baseline } from './baseline.js';

/** The commands of the operator. */
export const Admin1766000180000 = baseline('Admin1766000180000', {
  up: `
  CREATE TABLE operator_commands (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    subject_id text NOT NULL,
    command text NOT NULL,
    parameters jsonb NOT NULL,
    given_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now()
  );
  CREATE CONSTRAINT TRIGGER operator_commands_join_audit
    AFTER INSERT OR UPDATE ON operator_commands DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{}');
`,
  down: `
  DROP TABLE operator_commands;
`,
});
