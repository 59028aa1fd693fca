import { baseline, PLACEHOLDER } from './baseline.js';

/** Tables of every module: the deployment, idempotent responses, installed functions, master keys. */
export const Platform1766000010000 = baseline('Platform1766000010000', {
  up: `
  -- What every due time, lease and window is compared with. A sandbox has a movable clock in its place.
  CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT clock_timestamp()';
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS '${PLACEHOLDER}';

  CREATE TABLE deployment (
    one boolean PRIMARY KEY DEFAULT true,
    mode text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT deployment_mode CHECK (mode IN ('sandbox', 'production')),
    CONSTRAINT deployment_one_row CHECK (one)
  );

  CREATE TABLE idempotent_answers (
    partner_id text NOT NULL,
    operation text NOT NULL,
    idempotency_key text NOT NULL,
    body_hash text NOT NULL,
    answer_sealed text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT idempotent_answers_pkey PRIMARY KEY (partner_id, operation, idempotency_key)
  );
  CREATE INDEX idempotent_answers_by_time ON idempotent_answers (created_at);

  CREATE TABLE schema_functions (
    name text NOT NULL,
    checksum text NOT NULL,
    installed_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT schema_functions_pkey PRIMARY KEY (name, checksum)
  );

  CREATE TABLE master_keys (
    name text PRIMARY KEY,
    check_sealed text NOT NULL,
    sealing_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT app_now()
  );
`,
  down: `
  DROP TABLE master_keys, schema_functions, idempotent_answers, deployment;
  DROP FUNCTION app_now(), refuse_change();
`,
});
