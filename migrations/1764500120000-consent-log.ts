import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every consent, however it was given; the database refuses to change what is there. */
export class ConsentLog1764500120000 implements MigrationInterface {
  name = 'ConsentLog1764500120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLE);
    await runner.query('ALTER TABLE consents ADD lender_codes text[], ADD session_id text');
    await runner.query(LOG_HOSTED_CONSENT);
    await runner.query(`
      CREATE TRIGGER consents_logged AFTER INSERT ON consents
        FOR EACH ROW EXECUTE FUNCTION log_hosted_consent()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TRIGGER consents_logged ON consents');
    await runner.query('DROP FUNCTION log_hosted_consent');
    await runner.query('ALTER TABLE consents DROP lender_codes, DROP session_id');
    await runner.query('DROP TABLE consent_log');
  }
}

const TABLE = `
  CREATE TABLE consent_log (
    id text NOT NULL,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    way text NOT NULL,
    basis text NOT NULL,
    text_version text,
    language text,
    shown_text text,
    text_hash text,
    lender_codes text[],
    given_at timestamptz NOT NULL,
    came_by text,
    recorded_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT consent_log_pkey PRIMARY KEY (id),
    CONSTRAINT consent_log_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT consent_log_way CHECK (way IN ('HOSTED', 'PARTNER')),
    CONSTRAINT consent_log_basis CHECK (basis IN ('TEXT', 'TERMS_ACCEPTED', 'AGREEMENT')),
    CONSTRAINT consent_log_language CHECK (language IN ('en', 'hi')),
    CONSTRAINT consent_log_text CHECK (
      num_nonnulls(text_version, language, shown_text, text_hash)
        = CASE WHEN basis = 'TEXT' THEN 4 ELSE 0 END)
  );
  CREATE INDEX consent_log_of_subject ON consent_log (subject_id);
  CREATE TRIGGER consent_log_stays BEFORE UPDATE OR DELETE ON consent_log
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER consent_log_stays_whole BEFORE TRUNCATE ON consent_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

// Its current text is in src/consents/store/functions.
const LOG_HOSTED_CONSENT = `
  CREATE OR REPLACE FUNCTION log_hosted_consent() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO consent_log (id, partner_id, subject_id, way, basis, text_version, language,
      shown_text, text_hash, lender_codes, given_at, came_by)
    VALUES (NEW.id, NEW.partner_id, NEW.journey_id, 'HOSTED', 'TEXT', NEW.text_version,
      NEW.language, NEW.shown_text, NEW.text_hash, NEW.lender_codes, NEW.given_at, NEW.session_id)
    ON CONFLICT (id) DO NOTHING;
    RETURN NULL;
  END
  $$
`;
