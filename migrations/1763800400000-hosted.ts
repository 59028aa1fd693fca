import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How an applicant signs in to the hosted screens, and what they consented to there. */
export class Hosted1763800400000 implements MigrationInterface {
  name = 'Hosted1763800400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(SESSIONS);
    await runner.query(CODES);
    await runner.query(CONSENTS);
    await runner.query(LIMITS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE hosted_limits, consents, one_time_codes, hosted_sessions');
  }
}

// token_hash changes at the sign-in. previous_token_hash, link_hash and browser_hash are for the
// second press of a button whose first answer never reached the browser.
const SESSIONS = `
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
    CONSTRAINT hosted_sessions_journey FOREIGN KEY (journey_id) REFERENCES journeys (id)
  );
  CREATE UNIQUE INDEX hosted_sessions_by_token ON hosted_sessions (token_hash);
  CREATE INDEX hosted_sessions_by_previous_token ON hosted_sessions (previous_token_hash)
    WHERE previous_token_hash IS NOT NULL;
  CREATE INDEX hosted_sessions_by_journey ON hosted_sessions (journey_id);
  CREATE INDEX hosted_sessions_expiring ON hosted_sessions (expires_at);
`;

const CODES = `
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
    CONSTRAINT one_time_codes_journey FOREIGN KEY (journey_id) REFERENCES journeys (id)
  );
  CREATE INDEX one_time_codes_newest ON one_time_codes (journey_id, created_at, id);
  CREATE INDEX one_time_codes_expiring ON one_time_codes (expires_at);
`;

// The text as it was shown is kept with each consent: it names the lenders of that day.
const CONSENTS = `
  CREATE TABLE consents (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    text_version text NOT NULL,
    language text NOT NULL,
    shown_text text NOT NULL,
    text_hash text NOT NULL,
    client_address_sealed text,
    given_at timestamptz NOT NULL,
    CONSTRAINT consents_journey FOREIGN KEY (journey_id) REFERENCES journeys (id),
    CONSTRAINT consents_language CHECK (language IN ('en', 'hi'))
  );
  CREATE UNIQUE INDEX consents_once ON consents (journey_id, text_version);
`;

// How often something was done by one journey, mobile or client address within a span of time.
const LIMITS = `
  CREATE TABLE hosted_limits (
    kind text NOT NULL,
    subject_hash text NOT NULL,
    count integer NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT hosted_limits_pkey PRIMARY KEY (kind, subject_hash)
  );
  CREATE INDEX hosted_limits_ending ON hosted_limits (ends_at);
`;
