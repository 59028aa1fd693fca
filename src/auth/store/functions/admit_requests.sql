-- The rate limit: admits many requests in one round trip, by nonce, the key's minute and the key's day. Each array
-- element is a request.
-- Returns one row per request, in order. 'STALE': the caller's copy of the key is outdated, and nothing was counted.
-- 'REPLAYED': the nonce was used before. 'LIMITED': a window is full.
--
-- One row per key holds both windows. Its lock puts the key's batches in order, so the limits are exact on any number
-- of replicas.
-- There are 61 buckets of one second: 60 seconds touch at most 61 of them, so they never exceed the limit.
CREATE OR REPLACE FUNCTION admit_requests(p_keys text[], p_versions integer[], p_nonces uuid[])
RETURNS TABLE (
  ord bigint, outcome text, minute_used integer, minute_reset integer,
  day_used integer, day_reset integer
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  batch record;
  key record;
  w api_key_windows;
  at timestamptz;
  clock_second bigint;
  this_second bigint;
  today date;
  fresh uuid[];
  place integer;
  freed integer;
BEGIN
  FOR batch IN
    SELECT r.key_id, array_agg(r.n ORDER BY r.n) AS ords,
      array_agg(r.version ORDER BY r.n) AS versions, array_agg(r.nonce ORDER BY r.n) AS nonces
    FROM unnest(p_keys, p_versions, p_nonces) WITH ORDINALITY AS r (key_id, version, nonce, n)
    GROUP BY r.key_id ORDER BY r.key_id
  LOOP
    SELECT * INTO w FROM api_key_windows AS a WHERE a.key_id = batch.key_id FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO api_key_windows (key_id)
        SELECT k.id FROM api_keys AS k WHERE k.id = batch.key_id
        ON CONFLICT DO NOTHING;
      SELECT * INTO w FROM api_key_windows AS a WHERE a.key_id = batch.key_id FOR UPDATE;
    END IF;
    SELECT k.version, k.minute_limit, k.day_limit INTO key
      FROM api_keys AS k WHERE k.id = batch.key_id;
    at := app_now();
    clock_second := floor(extract(epoch FROM at))::bigint;
    -- If the clock was set back a little, requests wait for the window. After a larger step the window restarts, since
    -- its buckets would never expire.
    IF w.second > clock_second + 60 THEN
      w.second := 0;
    END IF;
    this_second := greatest(clock_second, w.second);
    today := greatest((at AT TIME ZONE 'Asia/Kolkata')::date, w.day);
    day_reset := ceil(extract(epoch FROM
      ((today + 1)::timestamp AT TIME ZONE 'Asia/Kolkata') - at))::integer;
    IF today > w.day THEN
      w.day := today;
      w.day_used := 0;
    END IF;
    -- i counts seconds back from now. The seconds since the window's last use are empty.
    FOR i IN 0 .. least(this_second - w.second, 61)::integer - 1 LOOP
      place := ((this_second - i) % 61)::integer + 1;
      w.minute_used := w.minute_used - w.buckets[place];
      w.buckets[place] := 0;
    END LOOP;
    w.second := this_second;

    WITH inserted AS (
      INSERT INTO request_nonces (key_id, nonce, seen_at)
      SELECT DISTINCT batch.key_id, n.nonce, real_now()
      FROM unnest(batch.nonces, batch.versions) AS n (nonce, version)
      WHERE n.version = key.version
      ON CONFLICT DO NOTHING
      RETURNING nonce
    )
    SELECT coalesce(array_agg(inserted.nonce), '{}') INTO fresh FROM inserted;

    -- When enough counted requests have expired. After a limit was lowered, the oldest bucket may not be enough.
    minute_reset := 61 + this_second - clock_second;
    freed := 0;
    FOR i IN REVERSE 60 .. 0 LOOP
      freed := freed + w.buckets[((this_second - i) % 61)::integer + 1];
      IF freed > 0 AND w.minute_used - freed < key.minute_limit THEN
        minute_reset := minute_reset - i;
        EXIT;
      END IF;
    END LOOP;

    FOR i IN 1 .. array_length(batch.ords, 1) LOOP
      place := array_position(fresh, batch.nonces[i]);
      IF batch.versions[i] IS DISTINCT FROM key.version THEN
        outcome := 'STALE';
      ELSIF place IS NULL THEN
        outcome := 'REPLAYED';
      ELSE
        fresh[place] := NULL;
        IF w.minute_used >= key.minute_limit OR w.day_used >= key.day_limit THEN
          outcome := 'LIMITED';
        ELSE
          outcome := 'ADMITTED';
          w.minute_used := w.minute_used + 1;
          w.day_used := w.day_used + 1;
          w.buckets[(this_second % 61)::integer + 1] :=
            w.buckets[(this_second % 61)::integer + 1] + 1;
        END IF;
      END IF;
      ord := batch.ords[i];
      minute_used := w.minute_used;
      day_used := w.day_used;
      RETURN NEXT;
    END LOOP;

    UPDATE api_key_windows AS a SET second = w.second, buckets = w.buckets,
      minute_used = w.minute_used, day = w.day, day_used = w.day_used
    WHERE a.key_id = batch.key_id;
  END LOOP;
END
$$;
