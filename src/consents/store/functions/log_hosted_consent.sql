-- Copies a consent from our pages to the consent log, in the same transaction and under any release.
CREATE OR REPLACE FUNCTION log_hosted_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO consent_log (id, partner_id, subject_id, way, basis, text_version, language, shown_text,
    text_hash, lender_codes, given_at, came_by)
  VALUES (NEW.id, NEW.partner_id, NEW.journey_id, 'HOSTED', 'TEXT', NEW.text_version, NEW.language,
    NEW.shown_text, NEW.text_hash, NEW.lender_codes, NEW.given_at, NEW.session_id)
  ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END
$$;
