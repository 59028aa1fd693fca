import type { Database } from './database.ts';

const PAYOUTS = 'SELECT * FROM loans WHERE utr IS NOT NULL';

/** The lenders' books for their operator and for tests, without personal data. */
export class BookView {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  read(): Record<string, unknown[]> {
    return {
      applications: this.#rows(
        `SELECT a.lender, a.application_id, a.product, a.opened_at, a.pan IS NULL AS is_erased,
         (SELECT count(*) FROM offers o
          WHERE o.lender = a.lender AND o.application_id = a.application_id) AS offers,
         (SELECT count(*) FROM selections s
          WHERE s.lender = a.lender AND s.application_id = a.application_id) AS selections
         FROM applications a ORDER BY a.rowid`,
      ),
      enquiries: this.#rows('SELECT * FROM enquiries ORDER BY rowid'),
      selections: this.#rows(
        `SELECT s.lender, s.application_id, s.application_reference, s.offer_reference, s.amount,
         s.key_facts_hash, s.branch_reference, s.selected_at, s.key, q.times_asked,
         (SELECT count(*) FROM selections t WHERE t.lender = s.lender
          AND t.application_id = s.application_id) AS times_made
         FROM selections s LEFT JOIN questions q ON q.lender = s.lender AND q.key = s.key
         ORDER BY s.rowid`,
      ),
      steps: this.#rows('SELECT * FROM passed_steps ORDER BY rowid'),
      loans: this.#rows(
        `SELECT lender, reference, application_id, offer_reference, principal, status, opened_at,
         ended_at FROM loans ORDER BY rowid`,
      ),
      payouts: this.#rows(
        `SELECT lender, application_id, reference AS loan_reference, amount, utr, paid_at
         FROM (${PAYOUTS}) ORDER BY paid_at`,
      ),
      withdrawals: this.#rows(
        `SELECT lender, application_id, reason, refused_offers, noted_at FROM withdrawals
         ORDER BY rowid`,
      ),
      questions: this.#rows(
        `SELECT lender, key, call, times_asked, asked_at, json_extract(verdict, '$.verdict') AS verdict
         FROM questions ORDER BY rowid`,
      ),
      messages: this.#rows(
        `SELECT lender, id, path, attempts, last_status, due_at, ended_at FROM messages
         ORDER BY number`,
      ),
    };
  }

  /** With names in the style of the protocol's JSON. */
  #rows(sql: string): unknown[] {
    const rows = this.#database.all<Record<string, unknown>>(sql);
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])),
    );
  }
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
