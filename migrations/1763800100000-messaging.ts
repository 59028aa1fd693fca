import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Text messages on their way to applicants, and the simulated gateway's inbox. */
export class Messaging1763800100000 implements MigrationInterface {
  name = 'Messaging1763800100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(MESSAGES);
    await runner.query(SANDBOX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sandbox_sms; DROP TABLE sms_messages');
  }
}

const MESSAGES = `
  CREATE TABLE sms_messages (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    language text NOT NULL,
    content_sealed text,
    status text NOT NULL DEFAULT 'WAITING',
    attempts integer NOT NULL DEFAULT 0,
    unknowns integer NOT NULL DEFAULT 0,
    last_failure text,
    next_attempt_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    lease_token bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    gateway text,
    gateway_message_id text,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT sms_messages_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT sms_messages_language CHECK (language IN ('en', 'hi')),
    CONSTRAINT sms_messages_status CHECK (status IN ('WAITING', 'HANDED_OVER', 'REFUSED',
      'GIVEN_UP', 'EXPIRED', 'CANCELLED')),
    CONSTRAINT sms_messages_content CHECK ((content_sealed IS NOT NULL) = (status = 'WAITING'))
  );
  CREATE INDEX sms_messages_due ON sms_messages (next_attempt_at) WHERE status = 'WAITING';
  CREATE INDEX sms_messages_expiring ON sms_messages (expires_at) WHERE status = 'WAITING';
  CREATE INDEX sms_messages_by_subject ON sms_messages (subject_id);
`;

// Empty in production, where nothing writes to it.
const SANDBOX = `
  CREATE TABLE sandbox_sms (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    kind text NOT NULL,
    language text NOT NULL,
    mobile_hash text NOT NULL,
    content_sealed text NOT NULL,
    received_at timestamptz NOT NULL
  );
  CREATE INDEX sandbox_sms_newest ON sandbox_sms (received_at, id);
  CREATE INDEX sandbox_sms_by_mobile ON sandbox_sms (mobile_hash, received_at, id);
  CREATE INDEX sandbox_sms_by_subject ON sandbox_sms (subject_id);
`;
