-- The time that no sandbox moves: by it is judged what is signed.
CREATE OR REPLACE FUNCTION real_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT clock_timestamp()
$$;
