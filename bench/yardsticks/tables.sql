-- The yardsticks' own tables beside the service's: a nonce per request, two counters per key.
CREATE TABLE yardstick_nonces (
  key_id text NOT NULL,
  nonce uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, nonce)
);
CREATE TABLE yardstick_windows (
  key_id text PRIMARY KEY,
  minute bigint NOT NULL,
  minute_used integer NOT NULL,
  day date NOT NULL,
  day_used integer NOT NULL
) WITH (fillfactor = 50);
