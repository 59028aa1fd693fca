import { baseline } from './baseline.js';

/** Partners, their API keys and logos, and the counters of admission. */
export const Auth1766000030000 = baseline('Auth1766000030000', {
  up: `
  CREATE TABLE partners (
    id text PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'ACTIVE',
    status_origin text NOT NULL DEFAULT 'FILE',
    return_url text,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    alert_emails text[] NOT NULL DEFAULT '{}',
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
    CONSTRAINT api_keys_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT api_keys_limits CHECK (minute_limit > 0 AND day_limit > 0),
    CONSTRAINT api_keys_mode CHECK (mode IN ('test', 'live')),
    CONSTRAINT api_keys_origin CHECK (origin IN ('FILE', 'COMMAND')),
    CONSTRAINT api_keys_status CHECK (status IN ('ACTIVE', 'SUSPENDED', 'REVOKED')),
    CONSTRAINT api_keys_status_origin CHECK (status_origin IN ('FILE', 'COMMAND'))
  );
  CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);
  CREATE UNIQUE INDEX api_keys_by_name ON api_keys (partner_id, name) WHERE status <> 'REVOKED';

  CREATE TABLE api_key_windows (
    key_id text PRIMARY KEY,
    second bigint NOT NULL DEFAULT 0,
    buckets integer[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
    minute_used integer NOT NULL DEFAULT 0,
    day date NOT NULL DEFAULT '1970-01-01'::date,
    day_used integer NOT NULL DEFAULT 0,
    CONSTRAINT api_key_windows_key FOREIGN KEY (key_id) REFERENCES api_keys ON DELETE CASCADE
  ) WITH (fillfactor = 50);

  CREATE TABLE partner_logos (
    partner_id text PRIMARY KEY,
    version text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT partner_logos_partner FOREIGN KEY (partner_id) REFERENCES partners,
    CONSTRAINT partner_logos_bytes CHECK (octet_length(bytes) <= 16384)
  );
  CREATE INDEX partner_logos_by_version ON partner_logos (version);

  CREATE TABLE request_nonces (
    key_id text NOT NULL,
    nonce uuid NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT request_nonces_pkey PRIMARY KEY (key_id, nonce)
  );
  CREATE INDEX request_nonces_by_time ON request_nonces USING brin (seen_at);
`,
  down: `
  DROP TABLE request_nonces, partner_logos, api_key_windows, api_keys, partners;
`,
});
