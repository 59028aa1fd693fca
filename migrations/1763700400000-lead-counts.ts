import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What keeps the list of leads quick however long it gets: exact counts of each of its filtered
 * lists, by stretches of the list, and an index for each filter (docs/adr/0006-lead-counts.md).
 */
export class LeadCounts1763700400000 implements MigrationInterface {
  name = 'LeadCounts1763700400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    // On a table of millions the indexes and the first count take longer than a statement may.
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query(COUNTS);
    await runner.query(NOTING);
    await runner.query(INDEXES);
    await runner.query(FIRST_COUNT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER applications_counted_on_insert ON applications;
      DROP TRIGGER applications_counted_on_update ON applications;
      DROP TRIGGER applications_counted_on_delete ON applications;
      DROP FUNCTION note_lead_counts;
      DROP INDEX applications_by_status, applications_by_type, applications_by_type_and_status;
      DROP TABLE lead_counts, lead_count_deltas;
    `);
  }
}

// A list is one partner's leads of one loan type ('' for all of them) and one status ('' likewise).
// A node counts the leads of a list from its own start (inclusive) to the next node's start; nodes
// of level 0 are small, those of level 1 hold some dozens of them, that of level 2 is the whole
// list. The nodes of the list ('', '') are the ones that exist; of another list there is a row only
// where it has leads.
//
// lead_count_deltas holds what has happened since it was last folded into lead_counts: at every
// moment lead_counts and lead_count_deltas together count exactly the rows of applications. A
// transaction only ever adds deltas, so two of one partner never wait for each other's counters.
// Its rows live for a second, so the table is to be vacuumed by its churn, not by its size.
const COUNTS = `
  CREATE TABLE lead_counts (
    partner_id text NOT NULL,
    level smallint NOT NULL,
    loan_type text NOT NULL,
    status text NOT NULL,
    starts_at timestamptz NOT NULL,
    starts_id text NOT NULL,
    leads bigint NOT NULL,
    CONSTRAINT lead_counts_pkey
      PRIMARY KEY (partner_id, level, loan_type, status, starts_at, starts_id)
  ) WITH (fillfactor = 80);

  CREATE TABLE lead_count_deltas (
    partner_id text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    loan_type text NOT NULL,
    status text NOT NULL,
    submitted_at timestamptz NOT NULL,
    lead_id text NOT NULL,
    change smallint NOT NULL,
    CONSTRAINT lead_count_deltas_pkey PRIMARY KEY (partner_id, id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
`;

// Triggers, so that whoever writes applications, be it by hand, cannot make the counts wrong. They
// work on whole statements: a bulk load notes its leads in one go.
const NOTING = `
  -- History: the text in force is src/leads/store/functions/note_lead_counts.sql.
  CREATE FUNCTION note_lead_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO lead_count_deltas (partner_id, loan_type, status, submitted_at, lead_id, change)
      SELECT partner_id, loan_type, status, submitted_at, id, 1 FROM after;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO lead_count_deltas (partner_id, loan_type, status, submitted_at, lead_id, change)
      SELECT partner_id, loan_type, status, submitted_at, id, -1 FROM before;
    ELSE
      INSERT INTO lead_count_deltas (partner_id, loan_type, status, submitted_at, lead_id, change)
      SELECT changed.* FROM before AS b JOIN after AS a USING (id)
      CROSS JOIN LATERAL (VALUES
        (b.partner_id, b.loan_type, b.status, b.submitted_at, b.id, -1),
        (a.partner_id, a.loan_type, a.status, a.submitted_at, a.id, 1)) AS changed
      WHERE (a.partner_id, a.loan_type, a.status, a.submitted_at)
        IS DISTINCT FROM (b.partner_id, b.loan_type, b.status, b.submitted_at);
    END IF;
    RETURN NULL;
  END
  $$;

  CREATE TRIGGER applications_counted_on_insert AFTER INSERT ON applications
    REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION note_lead_counts();
  CREATE TRIGGER applications_counted_on_update AFTER UPDATE ON applications
    REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION note_lead_counts();
  CREATE TRIGGER applications_counted_on_delete AFTER DELETE ON applications
    REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION note_lead_counts();
`;

// Beside applications_newest: each of the filters finds its leads in their order by an index.
const INDEXES = `
  CREATE INDEX applications_by_status ON applications (partner_id, status, submitted_at, id);
  CREATE INDEX applications_by_type ON applications (partner_id, loan_type, submitted_at, id);
  CREATE INDEX applications_by_type_and_status
    ON applications (partner_id, loan_type, status, submitted_at, id);
`;

// What is there already goes into one node a partner, which the service then splits. The triggers
// have locked the table, so nothing slips through between.
const FIRST_COUNT = `
  INSERT INTO lead_counts (partner_id, level, loan_type, status, starts_at, starts_id, leads)
  SELECT a.partner_id, l.level, coalesce(a.loan_type, ''), coalesce(a.status, ''), '-infinity', '',
    count(*)
  FROM applications AS a CROSS JOIN generate_series(0, 2) AS l (level)
  GROUP BY a.partner_id, l.level, CUBE (a.loan_type, a.status);
`;
