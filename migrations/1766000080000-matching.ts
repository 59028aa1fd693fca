import { baseline } from './baseline.js';

/** The offers as shown, in their order. */
export const Matching1766000080000 = baseline('Matching1766000080000', {
  up: `
  CREATE TABLE offer_presentations (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    subject_id text NOT NULL,
    round integer NOT NULL,
    kind text NOT NULL,
    place text NOT NULL,
    language text,
    metric text NOT NULL,
    content text NOT NULL,
    content_hash text NOT NULL,
    day date NOT NULL,
    fingerprint text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT offer_presentations_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT offer_presentations_kind CHECK (kind IN ('SHOWN', 'CHOSEN')),
    CONSTRAINT offer_presentations_language CHECK (language IN ('en', 'hi')),
    CONSTRAINT offer_presentations_place CHECK (place IN ('PAGE', 'API'))
  );
  CREATE UNIQUE INDEX offer_presentations_once ON offer_presentations (subject_id, fingerprint);
  CREATE CONSTRAINT TRIGGER offer_presentations_join_audit
    AFTER INSERT OR UPDATE ON offer_presentations DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    EXECUTE FUNCTION chain_audit_row('subject_id', '{content}', '{}');
  CREATE TRIGGER offer_presentations_stay
    BEFORE DELETE OR UPDATE ON offer_presentations
    FOR EACH ROW
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER offer_presentations_stay_whole
    BEFORE TRUNCATE ON offer_presentations
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change();
`,
  down: `
  DROP TABLE offer_presentations;
`,
});
