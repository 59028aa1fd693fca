import { baseline } from './baseline.js';

/** Journeys, their offers and redirects, and how applicants sign in. */
export const Journeys1766000120000 = baseline('Journeys1766000120000', {
  up: `
  CREATE TABLE journeys (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    key_id text NOT NULL,
    application_id text NOT NULL,
    product_code text NOT NULL,
    channel text NOT NULL,
    state text NOT NULL,
    steps text[] NOT NULL,
    loan_amount bigint NOT NULL,
    applicant_sealed text,
    mobile_hash text,
    pan_hash text,
    bank_account_sealed text,
    session_hash text,
    offer_round integer NOT NULL DEFAULT 1,
    offers_due_at timestamptz,
    offers_given_up_at timestamptz,
    selected_offer_id text,
    selection jsonb,
    selected_branch_id text,
    redirect_id text,
    is_returned boolean NOT NULL DEFAULT false,
    step_failures integer NOT NULL DEFAULT 0,
    outcome_reason text,
    event_sequence integer NOT NULL DEFAULT 0,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    last_activity_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    finished_at timestamptz,
    disbursed_at timestamptz,
    payout jsonb,
    lenders_without_offer jsonb,
    loan_amount_source text NOT NULL,
    CONSTRAINT journeys_application FOREIGN KEY (application_id) REFERENCES applications,
    CONSTRAINT journeys_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT journeys_channel CHECK (channel IN ('API_HOSTED', 'API_HEADLESS')),
    CONSTRAINT journeys_state CHECK (state IN ('INITIATED', 'OFFERS_RECEIVED', 'OFFER_SELECTED', 'FEE_PENDING',
      'KYC_PENDING', 'BANK_ACCOUNT_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING', 'DECISION_PENDING', 'DISBURSEMENT_PENDING', 'SANCTIONED',
      'REJECTED', 'ABANDONED'))
  );
  CREATE INDEX journeys_by_mobile ON journeys (mobile_hash);
  CREATE INDEX journeys_by_pan ON journeys (pan_hash);
  CREATE INDEX journeys_idle ON journeys (last_activity_at) WHERE NOT state IN ('FEE_PENDING',
    'DECISION_PENDING', 'DISBURSEMENT_PENDING', 'SANCTIONED', 'REJECTED', 'ABANDONED');
  CREATE INDEX journeys_offers_due ON journeys (offers_due_at) WHERE state IN ('INITIATED', 'OFFERS_RECEIVED');

  CREATE TABLE journey_offers (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    round integer NOT NULL,
    lender_code text NOT NULL,
    lender_reference text NOT NULL,
    seller_name text NOT NULL,
    principal bigint NOT NULL,
    minimum_amount bigint NOT NULL,
    figures jsonb NOT NULL,
    terms jsonb NOT NULL,
    valid_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT journey_offers_journey FOREIGN KEY (journey_id) REFERENCES journeys
  );
  CREATE UNIQUE INDEX journey_offers_once ON journey_offers (journey_id, round, lender_code, lender_reference);

  CREATE TABLE journey_redirects (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    lender_code text NOT NULL,
    step text NOT NULL,
    attempt integer NOT NULL,
    verdict text,
    visited_at timestamptz,
    returned_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    covers text[] NOT NULL DEFAULT '{}',
    session_number integer NOT NULL DEFAULT 1,
    session_expires_at timestamptz,
    evidence_sealed text,
    ask_again_at timestamptz,
    let_go_at timestamptz,
    session_asked_at timestamptz,
    session_sealed text,
    CONSTRAINT journey_redirects_journey FOREIGN KEY (journey_id) REFERENCES journeys,
    CONSTRAINT journey_redirects_step CHECK (step IN ('FEE', 'KYC', 'MANDATE', 'ESIGN'))
  );
  CREATE INDEX journey_redirects_by_journey ON journey_redirects (journey_id);
  CREATE UNIQUE INDEX journey_redirects_once_a_choice ON journey_redirects (journey_id, step, attempt) WHERE
    let_go_at IS NULL;

  CREATE TABLE journey_fees (
    redirect_id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    lender_code text NOT NULL,
    amount bigint NOT NULL,
    fee_on_decline text NOT NULL,
    order_id text,
    is_try_failed boolean NOT NULL DEFAULT false,
    gateway_payment_id text,
    paid_at timestamptz,
    expires_at timestamptz NOT NULL,
    called_off_at timestamptz,
    CONSTRAINT journey_fees_redirect FOREIGN KEY (redirect_id) REFERENCES journey_redirects,
    CONSTRAINT journey_fees_journey FOREIGN KEY (journey_id) REFERENCES journeys,
    CONSTRAINT journey_fees_paid CHECK ((paid_at IS NULL) = (gateway_payment_id IS NULL) AND
      (paid_at IS NULL OR order_id IS NOT NULL))
  );
  CREATE INDEX journey_fees_by_journey ON journey_fees (journey_id);
  CREATE INDEX journey_fees_expiring ON journey_fees (expires_at) WHERE paid_at IS NULL AND called_off_at IS NULL;

  CREATE TABLE journey_intents (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    kind text NOT NULL,
    payload_sealed text,
    state text NOT NULL,
    fence bigint NOT NULL,
    status text NOT NULL DEFAULT 'OPEN',
    created_at timestamptz NOT NULL DEFAULT app_now(),
    resolved_at timestamptz,
    told_sealed text,
    sent_sealed text,
    lender_code text,
    times_asked integer NOT NULL DEFAULT 0,
    asked_at timestamptz,
    next_attempt_at timestamptz,
    CONSTRAINT journey_intents_journey FOREIGN KEY (journey_id) REFERENCES journeys,
    CONSTRAINT journey_intents_payload CHECK (payload_sealed IS NOT NULL OR status <> 'OPEN'),
    CONSTRAINT journey_intents_status CHECK (status IN ('OPEN', 'COMPLETED', 'WITHDRAWN'))
  );
  CREATE UNIQUE INDEX journey_intents_one_open ON journey_intents (journey_id) WHERE status = 'OPEN';

  CREATE TABLE journey_milestones (
    journey_id text NOT NULL,
    milestone text NOT NULL,
    partner_id text NOT NULL,
    state text NOT NULL,
    due_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    noted_at timestamptz NOT NULL,
    outcome text,
    sms_id text,
    settled_at timestamptz,
    CONSTRAINT journey_milestones_pkey PRIMARY KEY (journey_id, milestone),
    CONSTRAINT journey_milestones_journey FOREIGN KEY (journey_id) REFERENCES journeys,
    CONSTRAINT journey_milestones_outcome CHECK (outcome IN ('TOLD', 'UNTRUE', 'NOBODY', 'NO_TEXT')),
    CONSTRAINT journey_milestones_settled CHECK ((outcome IS NULL) = (settled_at IS NULL)),
    CONSTRAINT journey_milestones_told CHECK ((outcome IS NOT DISTINCT FROM 'TOLD') = (sms_id IS NOT NULL))
  );
  CREATE INDEX journey_milestones_due ON journey_milestones (due_at) WHERE settled_at IS NULL;

  CREATE TABLE hosted_links (
    token_hash text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT hosted_links_journey FOREIGN KEY (journey_id) REFERENCES journeys
  );
  CREATE INDEX hosted_links_by_journey ON hosted_links (journey_id);

  CREATE TABLE hosted_sessions (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    token_hash text NOT NULL,
    previous_token_hash text,
    link_hash text NOT NULL,
    browser_hash text NOT NULL,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    verified_at timestamptz,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT hosted_sessions_journey FOREIGN KEY (journey_id) REFERENCES journeys
  );
  CREATE INDEX hosted_sessions_by_journey ON hosted_sessions (journey_id);
  CREATE INDEX hosted_sessions_by_previous_token ON hosted_sessions (previous_token_hash) WHERE
    previous_token_hash IS NOT NULL;
  CREATE UNIQUE INDEX hosted_sessions_by_token ON hosted_sessions (token_hash);
  CREATE INDEX hosted_sessions_expiring ON hosted_sessions (expires_at);

  CREATE TABLE one_time_codes (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    session_id text NOT NULL,
    code_hash text NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    sms_id text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CONSTRAINT one_time_codes_journey FOREIGN KEY (journey_id) REFERENCES journeys
  );
  CREATE INDEX one_time_codes_expiring ON one_time_codes (expires_at);
  CREATE INDEX one_time_codes_newest ON one_time_codes (journey_id, created_at, id);

  CREATE TABLE consents (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    text_version text NOT NULL,
    language text NOT NULL,
    shown_text text NOT NULL,
    text_hash text NOT NULL,
    client_address_sealed text,
    given_at timestamptz NOT NULL DEFAULT app_now(),
    lender_codes text[] NOT NULL,
    session_id text,
    CONSTRAINT consents_journey FOREIGN KEY (journey_id) REFERENCES journeys,
    CONSTRAINT consents_language CHECK (language IN ('en', 'hi'))
  );
  CREATE UNIQUE INDEX consents_once ON consents (journey_id, text_version);
  CREATE TRIGGER consents_logged
    AFTER INSERT ON consents
    FOR EACH ROW
    EXECUTE FUNCTION log_hosted_consent();

  CREATE TABLE hosted_limits (
    kind text NOT NULL,
    subject_hash text NOT NULL,
    count integer NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT hosted_limits_pkey PRIMARY KEY (kind, subject_hash)
  );
  CREATE INDEX hosted_limits_ending ON hosted_limits (ends_at);

  CREATE TABLE link_requests (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    subject_sealed text NOT NULL,
    language text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    due_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT link_requests_language CHECK (language IN ('en', 'hi'))
  );
  CREATE INDEX link_requests_due ON link_requests (due_at, id);

  CREATE TABLE journey_audit (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    trigger text NOT NULL,
    from_state text,
    to_state text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now()
  );
  CREATE INDEX journey_audit_by_journey ON journey_audit (journey_id);
  CREATE CONSTRAINT TRIGGER journey_audit_join_audit
    AFTER INSERT OR UPDATE ON journey_audit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('journey_id', '{}', '{}');
`,
  down: `
  DROP TABLE journey_audit, link_requests, hosted_limits, consents, one_time_codes, hosted_sessions, hosted_links,
    journey_milestones, journey_intents, journey_fees, journey_redirects, journey_offers, journeys;
`,
});
