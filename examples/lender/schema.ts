/**
 * The lenders' books. Every table begins with the lender: several share a file, and none sees another's. Documents are
 * JSON; times are ISO 8601 in UTC, except numbers, which are seconds.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS keys (
  lender TEXT NOT NULL, kid TEXT PRIMARY KEY, private_jwk TEXT NOT NULL, made_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS seen_jtis (
  lender TEXT NOT NULL, jti TEXT NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (lender, jti)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seen_jtis_by_end ON seen_jtis (expires_at);

-- What was asked, by its key. The verdict is written once, in the transaction that acts on it.
CREATE TABLE IF NOT EXISTS questions (
  lender TEXT NOT NULL, key TEXT NOT NULL, call TEXT NOT NULL, body_hash TEXT NOT NULL,
  body TEXT NOT NULL, asked_at TEXT NOT NULL, times_asked INTEGER NOT NULL DEFAULT 1,
  verdict TEXT, told_from TEXT, due_at TEXT,
  PRIMARY KEY (lender, key)
);
CREATE INDEX IF NOT EXISTS questions_due ON questions (due_at)
  WHERE verdict IS NULL AND due_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS applications (
  lender TEXT NOT NULL, application_id TEXT NOT NULL, product TEXT NOT NULL,
  pan TEXT, applicant TEXT, consent TEXT, account_last_four TEXT, opened_at TEXT NOT NULL,
  PRIMARY KEY (lender, application_id)
);
CREATE TABLE IF NOT EXISTS offers (
  lender TEXT NOT NULL, reference TEXT NOT NULL, application_id TEXT NOT NULL,
  terms TEXT NOT NULL, principal INTEGER NOT NULL, gold_grams TEXT, valid_until TEXT NOT NULL,
  offered_at TEXT NOT NULL, withdrawn_at TEXT,
  PRIMARY KEY (lender, reference)
);
CREATE INDEX IF NOT EXISTS offers_of_application ON offers (lender, application_id);

-- Every enquiry at a credit bureau; the borrower's credit record shows them.
CREATE TABLE IF NOT EXISTS enquiries (
  lender TEXT NOT NULL, application_id TEXT NOT NULL, kind TEXT NOT NULL, made_at TEXT NOT NULL
);

-- One row for each question that chose: two rows of one application are a choice made twice.
CREATE TABLE IF NOT EXISTS selections (
  lender TEXT NOT NULL, key TEXT NOT NULL, application_id TEXT NOT NULL,
  offer_reference TEXT NOT NULL, application_reference TEXT NOT NULL, amount INTEGER NOT NULL,
  key_facts_hash TEXT NOT NULL, branch_reference TEXT, selected_at TEXT NOT NULL,
  PRIMARY KEY (lender, key)
);
CREATE INDEX IF NOT EXISTS selections_of_application ON selections (lender, application_id);

CREATE TABLE IF NOT EXISTS sessions (
  token TEXT PRIMARY KEY, lender TEXT NOT NULL, offer_reference TEXT NOT NULL, step TEXT NOT NULL,
  step_reference TEXT NOT NULL, attempt INTEGER NOT NULL, covers TEXT NOT NULL,
  return_url TEXT NOT NULL, key_facts_hash TEXT NOT NULL, opened_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  UNIQUE (lender, step_reference)
);
CREATE INDEX IF NOT EXISTS sessions_of_offer ON sessions (lender, offer_reference);
CREATE TABLE IF NOT EXISTS decisions (
  token TEXT NOT NULL REFERENCES sessions (token), step TEXT NOT NULL, decision TEXT NOT NULL,
  decided_at TEXT NOT NULL, PRIMARY KEY (token, step)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passed_steps (
  lender TEXT NOT NULL, offer_reference TEXT NOT NULL, step TEXT NOT NULL, evidence TEXT NOT NULL,
  passed_at TEXT NOT NULL, PRIMARY KEY (lender, offer_reference, step)
);

CREATE TABLE IF NOT EXISTS loans (
  lender TEXT NOT NULL, reference TEXT NOT NULL, application_id TEXT NOT NULL,
  offer_reference TEXT, principal INTEGER NOT NULL, status TEXT NOT NULL, amount INTEGER, utr TEXT,
  account_last_four TEXT, opened_at TEXT NOT NULL, paid_at TEXT, ended_at TEXT,
  PRIMARY KEY (lender, reference), UNIQUE (lender, application_id)
);
CREATE TABLE IF NOT EXISTS withdrawals (
  lender TEXT NOT NULL, key TEXT NOT NULL, application_id TEXT NOT NULL, reason TEXT NOT NULL,
  refused_offers TEXT, noted_at TEXT NOT NULL, PRIMARY KEY (lender, key)
);

-- Messages to Rinpath, kept until they are accepted or refused permanently.
CREATE TABLE IF NOT EXISTS messages (
  number INTEGER PRIMARY KEY, lender TEXT NOT NULL, id TEXT NOT NULL, path TEXT NOT NULL,
  body TEXT NOT NULL, due_at TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, last_status TEXT,
  is_held INTEGER NOT NULL DEFAULT 0, ended_at TEXT
);
CREATE INDEX IF NOT EXISTS messages_due ON messages (due_at) WHERE ended_at IS NULL;
CREATE TABLE IF NOT EXISTS faults (
  number INTEGER PRIMARY KEY, lender TEXT NOT NULL, message TEXT NOT NULL, kind TEXT NOT NULL,
  times INTEGER, seconds REAL
);
`;
