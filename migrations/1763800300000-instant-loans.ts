import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications for instant loans, and the record of what came to pass with them. */
export class InstantLoans1763800300000 implements MigrationInterface {
  name = 'InstantLoans1763800300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(INSTANT_LOANS);
    await runner.query(AUDIT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE instant_loan_audit, instant_loans');
  }
}

// The id is the lead's. Money is paise. What was shown before the payment is frozen in
// key_facts_sealed; it names no applicant, so it outlives an erasure.
const INSTANT_LOANS = `
  CREATE TABLE instant_loans (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    key_id text NOT NULL,
    status text NOT NULL,
    loan_amount bigint NOT NULL,
    fee bigint NOT NULL,
    lender_code text NOT NULL,
    comparison jsonb NOT NULL,
    key_facts_sealed text NOT NULL,
    key_facts_hash text NOT NULL,
    agreed_at timestamptz,
    applicant_sealed text,
    mobile_hash text,
    pan_hash text,
    payment_order_id text NOT NULL,
    is_retrying boolean NOT NULL DEFAULT false,
    sms_id text NOT NULL,
    is_sms_sent boolean,
    gateway_payment_id text,
    paid_at timestamptz,
    sanction_reference text,
    decline_reason text,
    expires_at timestamptz NOT NULL,
    called_off_at timestamptz,
    decision_due_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT instant_loans_application FOREIGN KEY (id) REFERENCES applications (id),
    CONSTRAINT instant_loans_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT instant_loans_status CHECK (status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED',
      'PAYMENT_RECEIVED', 'SANCTIONED', 'REJECTED', 'EXPIRED')),
    CONSTRAINT instant_loans_paid CHECK ((paid_at IS NOT NULL)
      = (status IN ('PAYMENT_RECEIVED', 'SANCTIONED', 'REJECTED'))),
    CONSTRAINT instant_loans_applicant CHECK (applicant_sealed IS NOT NULL
      OR status IN ('SANCTIONED', 'REJECTED', 'EXPIRED'))
  );
  CREATE INDEX instant_loans_expiring ON instant_loans (expires_at)
    WHERE status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL;
  CREATE INDEX instant_loans_undecided ON instant_loans (decision_due_at)
    WHERE decision_due_at IS NOT NULL;
  CREATE INDEX instant_loans_by_mobile ON instant_loans (mobile_hash);
  CREATE INDEX instant_loans_by_pan ON instant_loans (pan_hash);
`;

const AUDIT = `
  CREATE TABLE instant_loan_audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id text NOT NULL,
    application_id text NOT NULL,
    trigger text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX instant_loan_audit_by_application ON instant_loan_audit (application_id);
`;
