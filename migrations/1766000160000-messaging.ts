import { baseline } from './baseline.js';

/** SMS to applicants. */
export const Messaging1766000160000 = baseline('Messaging1766000160000', {
  up: `
  CREATE TABLE sms_limits (
    mobile_hash text PRIMARY KEY,
    count integer NOT NULL,
    ends_at timestamptz NOT NULL
  );
  CREATE INDEX sms_limits_ending ON sms_limits (ends_at);

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
    CONSTRAINT sms_messages_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT sms_messages_content CHECK ((content_sealed IS NOT NULL) = (status = 'WAITING')),
    CONSTRAINT sms_messages_language CHECK (language IN ('en', 'hi')),
    CONSTRAINT sms_messages_status CHECK (status IN ('WAITING', 'HANDED_OVER', 'REFUSED', 'GIVEN_UP', 'EXPIRED',
      'CANCELLED'))
  );
  CREATE INDEX sms_messages_by_subject ON sms_messages (subject_id);
  CREATE INDEX sms_messages_due ON sms_messages (next_attempt_at) WHERE status = 'WAITING';
  CREATE INDEX sms_messages_expiring ON sms_messages (expires_at) WHERE status = 'WAITING';
`,
  down: `
  DROP TABLE sms_messages, sms_limits;
`,
});
