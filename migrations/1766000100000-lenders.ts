import { baseline } from './baseline.js';

/** Questions to lenders, their answers and statements. */
export const Lenders1766000100000 = baseline('Lenders1766000100000', {
  up: `
  CREATE TABLE lender_inbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    lender_code text NOT NULL,
    answer_id text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    answer_sealed text,
    received_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    consumed_at timestamptz,
    CONSTRAINT lender_inbox_answer CHECK (answer_sealed IS NOT NULL OR consumed_at IS NOT NULL)
  );
  CREATE INDEX lender_inbox_of_subject ON lender_inbox (subject_id);
  CREATE UNIQUE INDEX lender_inbox_once ON lender_inbox (lender_code, answer_id);
  CREATE INDEX lender_inbox_waiting ON lender_inbox (kind, next_attempt_at, id) WHERE consumed_at IS NULL;
  CREATE CONSTRAINT TRIGGER lender_inbox_join_audit
    AFTER INSERT OR UPDATE OF answer_sealed ON lender_inbox DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (((new.consumed_at IS NULL) OR (new.answer_sealed IS NULL)))
    EXECUTE FUNCTION chain_audit_row('subject_id', '{answer_sealed}', '{attempts,next_attempt_at,consumed_at}');

  CREATE TABLE lender_payouts (
    lender_code text NOT NULL,
    application_id text NOT NULL,
    amount bigint NOT NULL,
    utr text NOT NULL,
    paid_at timestamptz NOT NULL,
    day date NOT NULL,
    CONSTRAINT lender_payouts_pkey PRIMARY KEY (lender_code, application_id)
  );
  CREATE INDEX lender_payouts_of_day ON lender_payouts (lender_code, day);
  CREATE INDEX lender_payouts_utr ON lender_payouts (lender_code, utr);

  CREATE TABLE lender_questions (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    lender_code text NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    payload_sealed text,
    status text NOT NULL DEFAULT 'OPEN',
    attempts integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    last_failure text,
    next_attempt_at timestamptz NOT NULL,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    closed_at timestamptz,
    is_session_open boolean NOT NULL DEFAULT false,
    is_unreachable boolean NOT NULL DEFAULT false,
    sent_sealed text,
    failing_since timestamptz,
    flagged_at timestamptz,
    overdue_at timestamptz,
    awaited_since timestamptz,
    CONSTRAINT lender_questions_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT lender_questions_payload CHECK (payload_sealed IS NOT NULL OR status <> 'OPEN'),
    CONSTRAINT lender_questions_status CHECK (status IN ('OPEN', 'ANSWERED', 'CLOSED'))
  );
  CREATE INDEX lender_questions_due ON lender_questions (lender_code, next_attempt_at) WHERE status = 'OPEN';
  CREATE UNIQUE INDEX lender_questions_once ON lender_questions (subject_id, kind, reference, lender_code);

  CREATE TABLE lender_references (
    lender_code text NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    subject_id text NOT NULL,
    application_id text NOT NULL,
    partner_id text NOT NULL,
    is_payout_told boolean NOT NULL,
    CONSTRAINT lender_references_pkey PRIMARY KEY (lender_code, kind, reference, subject_id),
    CONSTRAINT lender_references_kind CHECK (kind IN ('APPLICATION', 'LOAN'))
  );
  CREATE INDEX lender_references_of_application ON lender_references (application_id);

  CREATE TABLE lender_statements (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    lender_code text NOT NULL,
    day date NOT NULL,
    pages integer NOT NULL,
    payout_count integer NOT NULL,
    payout_total bigint NOT NULL,
    pages_here integer[] NOT NULL DEFAULT '{}'::integer[],
    lines_here integer NOT NULL DEFAULT 0,
    received_at timestamptz NOT NULL DEFAULT app_now(),
    check_at timestamptz,
    failed_checks integer NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX lender_statements_once ON lender_statements (lender_code, day, pages, payout_count,
    payout_total);
  CREATE INDEX lender_statements_to_check ON lender_statements (lender_code, check_at) WHERE check_at IS NOT NULL;

  CREATE TABLE lender_statement_payouts (
    statement_id bigint NOT NULL,
    page integer NOT NULL,
    line integer NOT NULL,
    lender_code text NOT NULL,
    day date NOT NULL,
    application_id text NOT NULL,
    is_followed boolean NOT NULL,
    loan_reference text NOT NULL,
    amount bigint NOT NULL,
    utr text NOT NULL,
    paid_at timestamptz NOT NULL,
    CONSTRAINT lender_statement_payouts_pkey PRIMARY KEY (statement_id, page, line),
    CONSTRAINT lender_statement_payouts_statement FOREIGN KEY (statement_id) REFERENCES lender_statements
  );
  CREATE INDEX lender_statement_payouts_utr ON lender_statement_payouts (lender_code, utr, application_id, day);
`,
  down: `
  DROP TABLE lender_statement_payouts, lender_statements, lender_references, lender_questions, lender_payouts,
    lender_inbox;
`,
});
