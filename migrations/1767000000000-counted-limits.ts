import { baseline } from './baseline.js';

/** One table for every limit. Counts start at zero. The previous release still counts in hosted_limits and sms_limits; the next one drops them. */
export const CountedLimits1767000000000 = baseline('CountedLimits1767000000000', {
  up: `
  CREATE TABLE counted_limits (
    kind text NOT NULL,
    subject_hash text NOT NULL,
    count integer NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT counted_limits_pkey PRIMARY KEY (kind, subject_hash)
  );
  CREATE INDEX counted_limits_ending ON counted_limits (ends_at);
`,
  down: `
  DROP TABLE counted_limits;
`,
});
