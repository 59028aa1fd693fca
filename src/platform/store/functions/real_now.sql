-- The machine's time, which no sandbox moves: signatures are checked by it.
CREATE OR REPLACE FUNCTION real_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT clock_timestamp()
$$;
