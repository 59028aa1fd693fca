-- Appends a change of a row to its subject's chain. The primary key is the only lock: of two simultaneous appends, the
-- second waits and comes later.
-- Names the collation: a caller's text may have another one, which no index serves.
-- Disables sequential scans: a plan made for a nearly empty table would read the whole table later.
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
  RAISE serialization_failure USING MESSAGE = 'the audit chain changed at every attempt';
END
$$;
