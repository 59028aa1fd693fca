import { baseline } from './baseline.js';

/** The partners' calls, one partition per day. */
export const RequestLog1766000060000 = baseline('RequestLog1766000060000', {
  up: `
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
  ) PARTITION BY RANGE (at);
  CREATE INDEX partner_requests_by_code ON partner_requests (partner_id, code, at, id) WHERE code IS NOT NULL;
  CREATE INDEX partner_requests_by_given_id ON partner_requests (partner_id, given_id, at, id) WHERE given_id IS
    NOT NULL;
  CREATE INDEX partner_requests_by_subject ON partner_requests (partner_id, subject_id, at, id) WHERE subject_id
    IS NOT NULL;
  CREATE INDEX partner_requests_failed ON partner_requests (partner_id, at, id) WHERE status >= 400;
  CREATE INDEX partner_requests_of_our_fault ON partner_requests (partner_id, at, id) WHERE status >= 500;
  CREATE INDEX partner_requests_writes ON partner_requests (partner_id, method, route, at, id) WHERE method <>
    'GET';
  CREATE TABLE partner_requests_rest PARTITION OF partner_requests DEFAULT;
`,
  down: `
  DROP TABLE partner_requests;
`,
});
