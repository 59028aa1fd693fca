import { baseline } from './baseline.js';

/** The keys, nonces and messages of the lender protocol. */
export const LenderApi1766000110000 = baseline('LenderApi1766000110000', {
  up: `
  CREATE TABLE lender_api_keys (
    kid text PRIMARY KEY,
    private_sealed text NOT NULL,
    public_jwk jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    retired_at timestamptz
  );

  CREATE TABLE lender_messages (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    lender_code text NOT NULL,
    kind text NOT NULL,
    message_id text NOT NULL,
    partner_id text,
    subject_id text,
    body_hash text NOT NULL,
    body_sealed text,
    received_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT lender_messages_kind CHECK (kind IN ('ANSWER', 'OFFER_REVISION', 'LOAN_EVENT', 'STATEMENT'))
  );
  CREATE INDEX lender_messages_of_subject ON lender_messages (subject_id) WHERE subject_id IS NOT NULL;
  CREATE UNIQUE INDEX lender_messages_once ON lender_messages (lender_code, kind, message_id);
  CREATE CONSTRAINT TRIGGER lender_messages_join_audit
    AFTER INSERT OR UPDATE ON lender_messages DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((new.subject_id IS NOT NULL))
    EXECUTE FUNCTION chain_audit_row('subject_id', '{body_sealed}', '{}');

  CREATE TABLE lender_request_ids (
    lender_code text NOT NULL,
    jti text NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT lender_request_ids_pkey PRIMARY KEY (lender_code, jti)
  );
  CREATE INDEX lender_request_ids_old ON lender_request_ids (used_at);
`,
  down: `
  DROP TABLE lender_request_ids, lender_messages, lender_api_keys;
`,
});
