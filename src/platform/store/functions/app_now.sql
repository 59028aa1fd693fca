-- The time for due times, leases and windows. A sandbox replaces it with a movable time.
CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT clock_timestamp()
$$;
