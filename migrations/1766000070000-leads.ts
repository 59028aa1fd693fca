import { baseline, PLACEHOLDER } from './baseline.js';

/** Applications (leads) and their totals. */
export const Leads1766000070000 = baseline('Leads1766000070000', {
  up: `
  CREATE FUNCTION note_lead_counts() RETURNS trigger LANGUAGE plpgsql AS '${PLACEHOLDER}';

  CREATE TABLE applications (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    loan_type text NOT NULL,
    loan_amount bigint NOT NULL,
    status text NOT NULL,
    journey_id text NOT NULL,
    submitted_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT app_now(),
    loan_amount_source text NOT NULL,
    CONSTRAINT applications_partner FOREIGN KEY (partner_id) REFERENCES partners
  );
  CREATE INDEX applications_by_journey ON applications (journey_id);
  CREATE INDEX applications_by_status ON applications (partner_id, status, submitted_at, id);
  CREATE INDEX applications_by_type ON applications (partner_id, loan_type, submitted_at, id);
  CREATE INDEX applications_by_type_and_status ON applications (partner_id, loan_type, status, submitted_at, id);
  CREATE INDEX applications_newest ON applications (partner_id, submitted_at, id);
  CREATE TRIGGER applications_counted_on_delete
    AFTER DELETE ON applications REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT
    EXECUTE FUNCTION note_lead_counts();
  CREATE TRIGGER applications_counted_on_insert
    AFTER INSERT ON applications REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT
    EXECUTE FUNCTION note_lead_counts();
  CREATE TRIGGER applications_counted_on_update
    AFTER UPDATE ON applications REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT
    EXECUTE FUNCTION note_lead_counts();

  CREATE TABLE lead_count_deltas (
    partner_id text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    loan_type text NOT NULL,
    status text NOT NULL,
    day date NOT NULL,
    change smallint NOT NULL,
    CONSTRAINT lead_count_deltas_pkey PRIMARY KEY (partner_id, id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  CREATE TABLE lead_counts (
    partner_id text NOT NULL,
    loan_type text NOT NULL,
    status text NOT NULL,
    day date NOT NULL,
    leads bigint NOT NULL,
    CONSTRAINT lead_counts_pkey PRIMARY KEY (partner_id, loan_type, status, day)
  ) WITH (fillfactor = 80);
`,
  down: `
  DROP TABLE lead_counts, lead_count_deltas, applications;
  DROP FUNCTION note_lead_counts();
`,
});
