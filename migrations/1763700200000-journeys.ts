import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The questions to lenders, their inbox, and the journeys that live on the answers. */
export class Journeys1763700200000 implements MigrationInterface {
  name = 'Journeys1763700200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(LENDER_QUESTIONS);
    await runner.query(JOURNEYS);
    await runner.query(JOURNEY_PARTS);
    await runner.query(JOURNEY_RECORDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE operator_flags, journey_audit, key_facts_statements, hosted_links,
        journey_intents, journey_redirects, journey_offers, journeys, lender_inbox,
        lender_questions
    `);
  }
}

// subject_id is the journey (later also: the application) that the question is about; reference is
// what it is about there (an offer round, a redirect), so that one question is never put twice.
const LENDER_QUESTIONS = `
  CREATE TABLE lender_questions (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    lender_code text NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    payload_sealed text NOT NULL,
    status text NOT NULL DEFAULT 'OPEN',
    attempts integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    last_failure text,
    next_attempt_at timestamptz NOT NULL,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    created_at timestamptz NOT NULL,
    closed_at timestamptz,
    CONSTRAINT lender_questions_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT lender_questions_status CHECK (status IN ('OPEN', 'ANSWERED', 'CLOSED'))
  );
  CREATE UNIQUE INDEX lender_questions_once
    ON lender_questions (subject_id, kind, reference, lender_code);
  CREATE INDEX lender_questions_due ON lender_questions (lender_code, next_attempt_at)
    WHERE status = 'OPEN';

  CREATE TABLE lender_inbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lender_code text NOT NULL,
    answer_id text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    answer_sealed text NOT NULL,
    received_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    consumed_at timestamptz
  );
  CREATE UNIQUE INDEX lender_inbox_once ON lender_inbox (lender_code, answer_id);
  CREATE INDEX lender_inbox_waiting ON lender_inbox (next_attempt_at, id)
    WHERE consumed_at IS NULL;
`;

const JOURNEYS = `
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
    CONSTRAINT journeys_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT journeys_application FOREIGN KEY (application_id) REFERENCES applications (id),
    CONSTRAINT journeys_channel CHECK (channel IN ('API_HOSTED', 'API_HEADLESS')),
    CONSTRAINT journeys_state CHECK (state IN ('INITIATED', 'OFFERS_RECEIVED', 'OFFER_SELECTED',
      'KYC_PENDING', 'BANK_ACCOUNT_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING',
      'DISBURSEMENT_PENDING', 'SANCTIONED', 'REJECTED', 'ABANDONED'))
  );
  CREATE INDEX journeys_offers_due ON journeys (offers_due_at)
    WHERE state IN ('INITIATED', 'OFFERS_RECEIVED');
  CREATE INDEX journeys_idle ON journeys (last_activity_at)
    WHERE state NOT IN ('DISBURSEMENT_PENDING', 'SANCTIONED', 'REJECTED', 'ABANDONED');
  CREATE INDEX journeys_by_mobile ON journeys (mobile_hash);
  CREATE INDEX journeys_by_pan ON journeys (pan_hash);
`;

const JOURNEY_PARTS = `
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
    created_at timestamptz NOT NULL,
    CONSTRAINT journey_offers_journey FOREIGN KEY (journey_id) REFERENCES journeys (id)
  );
  CREATE UNIQUE INDEX journey_offers_once
    ON journey_offers (journey_id, round, lender_code, lender_reference);

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
    created_at timestamptz NOT NULL,
    CONSTRAINT journey_redirects_journey FOREIGN KEY (journey_id) REFERENCES journeys (id),
    CONSTRAINT journey_redirects_step CHECK (step IN ('KYC', 'MANDATE', 'ESIGN'))
  );
  CREATE UNIQUE INDEX journey_redirects_once ON journey_redirects (journey_id, step, attempt);

  CREATE TABLE journey_intents (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    kind text NOT NULL,
    payload_sealed text NOT NULL,
    state text NOT NULL,
    fence bigint NOT NULL,
    status text NOT NULL DEFAULT 'OPEN',
    created_at timestamptz NOT NULL,
    resolved_at timestamptz,
    CONSTRAINT journey_intents_journey FOREIGN KEY (journey_id) REFERENCES journeys (id),
    CONSTRAINT journey_intents_status CHECK (status IN ('OPEN', 'COMPLETED', 'WITHDRAWN'))
  );
  CREATE UNIQUE INDEX journey_intents_one_open ON journey_intents (journey_id)
    WHERE status = 'OPEN';

  CREATE TABLE hosted_links (
    token_hash text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT hosted_links_journey FOREIGN KEY (journey_id) REFERENCES journeys (id)
  );
  CREATE INDEX hosted_links_by_journey ON hosted_links (journey_id);
`;

const JOURNEY_RECORDS = `
  CREATE TABLE key_facts_statements (
    offer_id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    template_version text NOT NULL,
    content_hash text NOT NULL,
    content_sealed text NOT NULL,
    frozen_at timestamptz NOT NULL,
    CONSTRAINT key_facts_statements_offer FOREIGN KEY (offer_id) REFERENCES journey_offers (id)
  );

  CREATE TABLE journey_audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    trigger text NOT NULL,
    from_state text,
    to_state text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX journey_audit_by_journey ON journey_audit (journey_id);

  CREATE TABLE operator_flags (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    resolved_at timestamptz
  );
  CREATE INDEX operator_flags_open ON operator_flags (created_at) WHERE resolved_at IS NULL;
`;
