import { baseline, PLACEHOLDER } from './baseline.js';

/** The log of consents. */
export const Consents1766000090000 = baseline('Consents1766000090000', {
  up: `
  CREATE FUNCTION log_hosted_consent() RETURNS trigger LANGUAGE plpgsql AS '${PLACEHOLDER}';

  CREATE TABLE consent_log (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    way text NOT NULL,
    basis text NOT NULL,
    text_version text,
    language text,
    shown_text text,
    text_hash text,
    lender_codes text[] NOT NULL,
    given_at timestamptz NOT NULL,
    came_by text,
    recorded_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT consent_log_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT consent_log_basis CHECK (basis IN ('TEXT', 'TERMS_ACCEPTED', 'AGREEMENT')),
    CONSTRAINT consent_log_language CHECK (language IN ('en', 'hi')),
    CONSTRAINT consent_log_text CHECK (num_nonnulls(text_version, language) = CASE WHEN basis = 'TEXT' THEN 2
      ELSE 2 * num_nonnulls(text_version) END AND num_nonnulls(shown_text, text_hash) = CASE WHEN basis = 'TEXT'
      THEN 2 ELSE 0 END),
    CONSTRAINT consent_log_way CHECK (way IN ('HOSTED', 'PARTNER'))
  );
  CREATE INDEX consent_log_of_subject ON consent_log (subject_id);
  CREATE CONSTRAINT TRIGGER consent_log_join_audit
    AFTER INSERT OR UPDATE ON consent_log DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('subject_id', '{}', '{}');
  CREATE TRIGGER consent_log_stays
    BEFORE DELETE OR UPDATE ON consent_log
    FOR EACH ROW
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER consent_log_stays_whole
    BEFORE TRUNCATE ON consent_log
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change();
`,
  down: `
  DROP TABLE consent_log;
  DROP FUNCTION log_hosted_consent();
`,
});
