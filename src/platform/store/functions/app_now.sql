-- What every due time, lease and window is judged by. A sandbox puts a movable one in its place.
CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT clock_timestamp()
$$;
