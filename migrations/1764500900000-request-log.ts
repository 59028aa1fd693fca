import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls of partners of the last days, a table for each day: the service makes and drops those. */
export class RequestLog1764500900000 implements MigrationInterface {
  name = 'RequestLog1764500900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLE);
    for (const index of INDEXES) await runner.query(index);
    await runner.query(KEEP_DAYS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP FUNCTION keep_partner_request_days(date, date, date)');
    await runner.query('DROP TABLE partner_requests');
  }
}

const TABLE = `
  CREATE TABLE partner_requests (
    partner_id text NOT NULL,
    at timestamptz NOT NULL,
    id uuid NOT NULL,
    given_id text,
    key_id text NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    path text NOT NULL,
    subject_id text,
    status smallint NOT NULL,
    code text,
    duration_us integer NOT NULL,
    is_authenticated boolean NOT NULL,
    refused jsonb,
    CONSTRAINT partner_requests_pkey PRIMARY KEY (partner_id, at, id)
  ) PARTITION BY RANGE (at)
`;

/** A read that succeeds, which is most calls, has an entry in the first alone, if it names something. */
const INDEXES = [
  `CREATE INDEX partner_requests_by_subject ON partner_requests (partner_id, subject_id, at, id)
    WHERE subject_id IS NOT NULL`,
  `CREATE INDEX partner_requests_by_given_id ON partner_requests (partner_id, given_id, at, id)
    WHERE given_id IS NOT NULL`,
  `CREATE INDEX partner_requests_by_code ON partner_requests (partner_id, code, at, id)
    WHERE code IS NOT NULL`,
  `CREATE INDEX partner_requests_failed ON partner_requests (partner_id, at, id)
    WHERE status >= 400`,
  `CREATE INDEX partner_requests_of_our_fault ON partner_requests (partner_id, at, id)
    WHERE status >= 500`,
  `CREATE INDEX partner_requests_writes ON partner_requests (partner_id, method, route, at, id)
    WHERE method <> 'GET'`,
];

/** Its current text is in src/request-log/store/functions. */
const KEEP_DAYS = `
  CREATE OR REPLACE FUNCTION keep_partner_request_days(kept_from date, made_from date, made_to date)
  RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    made date := made_from;
    part text;
  BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    PERFORM pg_advisory_xact_lock(7415264);
    WHILE made <= made_to LOOP
      part := 'partner_requests_' || to_char(made, 'YYYYMMDD');
      IF to_regclass(part) IS NULL THEN
        EXECUTE format(
          'CREATE TABLE %I PARTITION OF partner_requests FOR VALUES FROM (%L) TO (%L)',
          part, made || ' 00:00:00+00', made + 1 || ' 00:00:00+00');
      END IF;
      made := made + 1;
    END LOOP;
    FOR part IN
      SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'partner_requests'::regclass
        AND to_date(right(c.relname, 8), 'YYYYMMDD') < kept_from
    LOOP
      EXECUTE format('DROP TABLE %I', part);
    END LOOP;
  END
  $$
`;
