-- What replicas of the release before the partitions of src/partitions call, which run beside this one during an
-- upgrade; the release after this one drops it.
-- Makes the tables of the days from made_from to made_to that are not there, and drops those of days before
-- kept_from. Replicas that do so at the same moment take turns. A table that is made or dropped locks
-- the log for that moment; while someone reads it for long, the next call tries again.
CREATE OR REPLACE FUNCTION keep_partner_request_days(kept_from date, made_from date, made_to date)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made date := made_from;
  part text;
BEGIN
  PERFORM set_config('lock_timeout', '2s', true);
  PERFORM pg_advisory_xact_lock(7415264);
  WHILE made <= made_to LOOP
    part := 'partner_requests_' || to_char(made, 'YYYYMMDD');
    IF to_regclass(part) IS NULL THEN
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF partner_requests FOR VALUES FROM (%L) TO (%L)',
        part, made || ' 00:00:00+00', made + 1 || ' 00:00:00+00');
    END IF;
    made := made + 1;
  END LOOP;
  FOR part IN
    SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'partner_requests'::regclass AND c.relname ~ '_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') < kept_from
  LOOP
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;
END
$$;
