import { baseline } from './baseline.js';

/** Frozen Key Facts Statements and their PDFs. */
export const KeyFacts1766000130000 = baseline('KeyFacts1766000130000', {
  up: `
  CREATE TABLE key_facts_statements (
    offer_id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    template_version text NOT NULL,
    content_hash text NOT NULL,
    content_sealed text NOT NULL,
    frozen_at timestamptz NOT NULL DEFAULT app_now(),
    acknowledged_hash text,
    acknowledged_at timestamptz,
    acknowledged_by text,
    acknowledged_language text,
    lender_signature text,
    CONSTRAINT key_facts_statements_offer FOREIGN KEY (offer_id) REFERENCES journey_offers,
    CONSTRAINT key_facts_statements_acknowledged CHECK (num_nonnulls(acknowledged_hash, acknowledged_at,
      acknowledged_by, acknowledged_language) IN (0, 4)),
    CONSTRAINT key_facts_statements_acknowledged_by CHECK (acknowledged_by IN ('CONFIRMATION', 'REDIRECT',
      'SANDBOX_RETURN')),
    CONSTRAINT key_facts_statements_acknowledged_language CHECK (acknowledged_language IN ('en', 'hi'))
  );
  CREATE CONSTRAINT TRIGGER key_facts_statements_join_audit
    AFTER INSERT OR UPDATE ON key_facts_statements DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('journey_id', '{content_sealed}', '{}');

  CREATE TABLE key_facts_pdfs (
    content_hash text NOT NULL,
    language text NOT NULL,
    partner_id text NOT NULL,
    pdf_sealed text NOT NULL,
    drawn_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT key_facts_pdfs_pkey PRIMARY KEY (content_hash, language),
    CONSTRAINT key_facts_pdfs_language CHECK (language IN ('en', 'hi'))
  );
`,
  down: `
  DROP TABLE key_facts_pdfs, key_facts_statements;
`,
});
