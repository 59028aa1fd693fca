-- Appends what has happened with a row to the chain of its subject. The primary key is the only lock: of two
-- transactions that append at the same moment the second one waits for the first, and then comes after it.
-- The collation is named since a caller's may be another one (that of a table's name, say), which no index serves.
-- A session keeps its plan: one made while the table had a page or two would read all of it, and go on doing so
-- as it grows. So the end of a chain is looked up by the primary key from the first row on.
CREATE OR REPLACE FUNCTION append_audit_entry(subject text, event text, source text, said_row text)
RETURNS void LANGUAGE plpgsql SET timezone TO 'UTC' SET enable_seqscan TO off AS $$
DECLARE
  moment timestamptz := app_now();
  said text := format('{"at":%s,"event":"%s","source":"%s","row":%s}',
    to_json(moment), event, source, said_row);
BEGIN
  FOR try IN 1..100 LOOP
    INSERT INTO audit_entries (subject_id, position, entry, hash, joined_at)
    SELECT subject, coalesce(head.position, 0) + 1, said,
      sha256(coalesce(head.hash, sha256(convert_to(subject, 'UTF8'))) || convert_to(said, 'UTF8')),
      moment
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
      SELECT e.position, e.hash FROM audit_entries AS e WHERE e.subject_id = subject COLLATE "default"
      ORDER BY e.position DESC LIMIT 1) AS head ON true
    ON CONFLICT (subject_id, position) DO NOTHING;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
  RAISE serialization_failure USING MESSAGE = 'the end of an audit chain does not stand still';
END
$$;
