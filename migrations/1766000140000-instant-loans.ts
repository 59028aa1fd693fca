import { baseline } from './baseline.js';

/** Instant loans and their offers. */
export const InstantLoans1766000140000 = baseline('InstantLoans1766000140000', {
  up: `
  CREATE TABLE instant_loans (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    key_id text NOT NULL,
    status text NOT NULL DEFAULT 'PAYMENT_PENDING',
    loan_amount bigint NOT NULL,
    fee bigint,
    lender_code text,
    comparison jsonb,
    key_facts_sealed text,
    key_facts_hash text,
    agreed_at timestamptz,
    applicant_sealed text,
    mobile_hash text,
    pan_hash text,
    payment_order_id text,
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
    updated_at timestamptz NOT NULL DEFAULT app_now(),
    finished_at timestamptz,
    fee_on_decline text,
    sms_language text NOT NULL,
    offer_id text,
    offers_due_at timestamptz,
    offers_given_up_at timestamptz NOT NULL,
    wanted_offer_id text,
    CONSTRAINT instant_loans_application FOREIGN KEY (id) REFERENCES applications,
    CONSTRAINT instant_loans_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT instant_loans_applicant CHECK (applicant_sealed IS NOT NULL OR status IN ('SANCTIONED',
      'REJECTED', 'EXPIRED')),
    CONSTRAINT instant_loans_chosen CHECK (num_nonnulls(offer_id, fee, fee_on_decline, lender_code,
      comparison, key_facts_sealed, key_facts_hash) = CASE WHEN lender_code IS NULL THEN 0 ELSE 7 END AND
      (lender_code IS NOT NULL OR payment_order_id IS NULL)),
    CONSTRAINT instant_loans_paid CHECK ((paid_at IS NOT NULL) = (status IN ('PAYMENT_RECEIVED', 'SANCTIONED')
      OR status = 'REJECTED' AND lender_code IS NOT NULL)),
    CONSTRAINT instant_loans_status CHECK (status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED', 'PAYMENT_RECEIVED',
      'SANCTIONED', 'REJECTED', 'EXPIRED'))
  );
  CREATE INDEX instant_loans_awaiting_offers ON instant_loans (offers_due_at) WHERE offers_due_at IS NOT NULL;
  CREATE INDEX instant_loans_by_mobile ON instant_loans (mobile_hash);
  CREATE INDEX instant_loans_by_pan ON instant_loans (pan_hash);
  CREATE INDEX instant_loans_expiring ON instant_loans (expires_at) WHERE status IN ('PAYMENT_PENDING',
    'PAYMENT_FAILED') AND called_off_at IS NULL;
  CREATE INDEX instant_loans_undecided ON instant_loans (decision_due_at) WHERE decision_due_at IS NOT NULL;

  CREATE TABLE instant_loan_audit (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    partner_id text NOT NULL,
    application_id text NOT NULL,
    trigger text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now()
  );
  CREATE INDEX instant_loan_audit_by_application ON instant_loan_audit (application_id);
  CREATE CONSTRAINT TRIGGER instant_loan_audit_join_audit
    AFTER INSERT OR UPDATE ON instant_loan_audit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('application_id', '{}', '{}');

  CREATE TABLE instant_offers (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    application_id text NOT NULL,
    lender_code text NOT NULL,
    lender_name text NOT NULL,
    standing text NOT NULL,
    reason text,
    offer_reference text,
    quote jsonb,
    terms jsonb,
    fee_on_decline text,
    valid_until timestamptz,
    recorded_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT instant_offers_application FOREIGN KEY (application_id) REFERENCES instant_loans,
    CONSTRAINT instant_offers_offered CHECK (num_nonnulls(offer_reference, quote, terms, fee_on_decline,
      valid_until) = CASE WHEN standing = 'OFFERED' THEN 5 ELSE 0 END),
    CONSTRAINT instant_offers_standing CHECK (standing IN ('OFFERED', 'DECLINED', 'OFFER_REFUSED',
      'UNREACHABLE', 'NO_ANSWER'))
  );
  CREATE UNIQUE INDEX instant_offers_once ON instant_offers (application_id, lender_code);
`,
  down: `
  DROP TABLE instant_offers, instant_loan_audit, instant_loans;
`,
});
