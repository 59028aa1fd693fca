import { baseline } from './baseline.js';

/** The configuration that the operator applied: products, lenders, gateways, client keys. */
export const Settings1766000040000 = baseline('Settings1766000040000', {
  up: `
  CREATE TABLE configuration (
    one boolean PRIMARY KEY DEFAULT true,
    revision bigint NOT NULL DEFAULT 0,
    file_version integer NOT NULL DEFAULT 0,
    brand jsonb NOT NULL,
    settings jsonb NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT app_now(),
    gateways_sealed text,
    CONSTRAINT configuration_one_row CHECK (one)
  );

  CREATE TABLE lenders (
    code text PRIMARY KEY,
    position integer NOT NULL,
    name text NOT NULL,
    adapter text NOT NULL,
    is_enabled boolean NOT NULL,
    terms jsonb NOT NULL,
    kind text,
    remote jsonb,
    client_key_sealed text,
    payment_sealed text
  );

  CREATE TABLE lender_logos (
    lender_code text PRIMARY KEY,
    version text NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT lender_logos_lender FOREIGN KEY (lender_code) REFERENCES lenders(code),
    CONSTRAINT lender_logos_bytes CHECK (octet_length(bytes) <= 65536)
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
    texts jsonb NOT NULL,
    CONSTRAINT products_amounts CHECK (0 < minimum_amount AND minimum_amount <= default_amount AND
      default_amount <= maximum_amount),
    CONSTRAINT products_channel CHECK (channel IN ('ONLINE', 'OFFLINE'))
  );
`,
  down: `
  DROP TABLE products, lender_logos, lenders, configuration;
`,
});
