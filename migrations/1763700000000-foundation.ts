import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Time, configuration, partners and their keys, the catalogue, admission and leads. Sealed columns
 * (`*_sealed`) hold text of the keyring, `v1:<key name>:<base64url>`.
 */
export class Foundation1763700000000 implements MigrationInterface {
  name = 'Foundation1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(CLOCK);
    await runner.query(CONFIGURATION);
    await runner.query(PARTNERS);
    await runner.query(ADMISSION);
    await runner.query(APPLICATIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE applications, request_nonces, api_key_windows, api_keys, partners, lenders,
        products, configuration, deployment;
      DROP FUNCTION admit_requests, app_now;
    `);
  }
}

// What every due time, lease and window is judged by. A sandbox puts a movable one in its place.
const CLOCK = `
  -- History: the text in force is src/platform/store/functions/app_now.sql.
  CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT clock_timestamp()
  $$;
`;

const CONFIGURATION = `
  CREATE TABLE deployment (
    one boolean PRIMARY KEY DEFAULT true,
    mode text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT deployment_one_row CHECK (one),
    CONSTRAINT deployment_mode CHECK (mode IN ('sandbox', 'production'))
  );

  CREATE TABLE configuration (
    one boolean PRIMARY KEY DEFAULT true,
    revision bigint NOT NULL DEFAULT 0,
    file_version integer NOT NULL DEFAULT 0,
    brand jsonb NOT NULL,
    settings jsonb NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT configuration_one_row CHECK (one)
  );

  CREATE TABLE products (
    code text PRIMARY KEY,
    position integer NOT NULL,
    display_name text NOT NULL,
    category text NOT NULL,
    channel text NOT NULL,
    provider text NOT NULL,
    icon text NOT NULL,
    is_enabled boolean NOT NULL,
    steps text[] NOT NULL,
    minimum_amount bigint NOT NULL,
    maximum_amount bigint NOT NULL,
    default_amount bigint NOT NULL,
    CONSTRAINT products_channel CHECK (channel IN ('ONLINE', 'OFFLINE')),
    CONSTRAINT products_amounts
      CHECK (0 < minimum_amount AND minimum_amount <= default_amount
        AND default_amount <= maximum_amount)
  );

  CREATE TABLE lenders (
    code text PRIMARY KEY,
    position integer NOT NULL,
    name text NOT NULL,
    adapter text NOT NULL,
    is_enabled boolean NOT NULL,
    terms jsonb NOT NULL
  );
`;

const PARTNERS = `
  CREATE TABLE partners (
    id text PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'ACTIVE',
    status_origin text NOT NULL DEFAULT 'FILE',
    return_url text,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT partners_status CHECK (status IN ('ACTIVE', 'SUSPENDED')),
    CONSTRAINT partners_status_origin CHECK (status_origin IN ('FILE', 'COMMAND'))
  );

  CREATE TABLE api_keys (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    name text NOT NULL,
    origin text NOT NULL,
    mode text NOT NULL,
    key_hash text NOT NULL,
    hint text NOT NULL,
    secret_sealed text NOT NULL,
    scopes text[] NOT NULL,
    products text[] NOT NULL,
    minute_limit integer NOT NULL,
    day_limit integer NOT NULL,
    default_channel text NOT NULL DEFAULT 'API_HEADLESS',
    default_product text NOT NULL DEFAULT 'ONLINE_PERSONAL',
    status text NOT NULL DEFAULT 'ACTIVE',
    status_origin text NOT NULL DEFAULT 'FILE',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    updated_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT api_keys_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT api_keys_origin CHECK (origin IN ('FILE', 'COMMAND')),
    CONSTRAINT api_keys_mode CHECK (mode IN ('test', 'live')),
    CONSTRAINT api_keys_status CHECK (status IN ('ACTIVE', 'SUSPENDED', 'REVOKED')),
    CONSTRAINT api_keys_status_origin CHECK (status_origin IN ('FILE', 'COMMAND')),
    CONSTRAINT api_keys_limits CHECK (minute_limit > 0 AND day_limit > 0)
  );
  CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);
  CREATE UNIQUE INDEX api_keys_by_name ON api_keys (partner_id, name) WHERE status <> 'REVOKED';
`;

// One row a key holds both windows; its lock puts the batches of one key in an order, so the
// limits are exact on any number of replicas. 61 one-second buckets: any stretch of 60 seconds
// touches at most 61 of them, so no stretch ever holds more than the limit.
const ADMISSION = `
  CREATE TABLE api_key_windows (
    key_id text PRIMARY KEY,
    second bigint NOT NULL DEFAULT 0,
    buckets integer[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
    minute_used integer NOT NULL DEFAULT 0,
    day date NOT NULL DEFAULT '1970-01-01',
    day_used integer NOT NULL DEFAULT 0,
    CONSTRAINT api_key_windows_key FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE CASCADE
  ) WITH (fillfactor = 50);

  CREATE TABLE request_nonces (
    key_id text NOT NULL,
    nonce uuid NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT request_nonces_pkey PRIMARY KEY (key_id, nonce)
  );
  CREATE INDEX request_nonces_by_time ON request_nonces USING brin (seen_at);

  -- Admits many requests in one round trip: nonce, minute and day, a request an array element.
  -- Answers a row a request, in order. 'STALE': the caller's copy of the key is not the current one
  -- (nothing was used up); 'REPLAYED': the nonce was used before; 'LIMITED': a window is full.
  -- History: the text in force is src/auth/store/functions/admit_requests.sql.
  CREATE FUNCTION admit_requests(p_keys text[], p_versions integer[], p_nonces uuid[])
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
      -- A clock that was set back by a little waits for the window; after a longer step back the
      -- window starts anew, since nothing in it would ever run out.
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
      -- i counts seconds back from now: those since the window was last seen are empty.
      FOR i IN 0 .. least(this_second - w.second, 61)::integer - 1 LOOP
        place := ((this_second - i) % 61)::integer + 1;
        w.minute_used := w.minute_used - w.buckets[place];
        w.buckets[place] := 0;
      END LOOP;
      w.second := this_second;

      WITH inserted AS (
        INSERT INTO request_nonces (key_id, nonce, seen_at)
        SELECT DISTINCT batch.key_id, n.nonce, at
        FROM unnest(batch.nonces, batch.versions) AS n (nonce, version)
        WHERE n.version = key.version
        ON CONFLICT DO NOTHING
        RETURNING nonce
      )
      SELECT coalesce(array_agg(inserted.nonce), '{}') INTO fresh FROM inserted;

      -- Until when the oldest of what is counted has left and there is room: after a limit was
      -- lowered, the very oldest alone may not be enough.
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
`;

const APPLICATIONS = `
  CREATE TABLE applications (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    loan_type text NOT NULL,
    loan_amount bigint NOT NULL,
    status text NOT NULL,
    journey_id text,
    submitted_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT applications_partner FOREIGN KEY (partner_id) REFERENCES partners (id)
  );
  CREATE INDEX applications_newest ON applications (partner_id, submitted_at, id);
`;
