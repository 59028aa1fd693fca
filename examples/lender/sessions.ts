import type { Database } from './database.ts';
import type { RedirectStep } from './lender-terms.ts';
import type { World } from './world.ts';

/** The pressed button. Leaving decides nothing: the session stays open. */
export type Decision = 'approve' | 'decline';

/** A visit to the lender's pages. */
export interface Session {
  readonly token: string;
  readonly lender: string;
  readonly offerReference: string;
  /** The step for which it was opened. */
  readonly step: RedirectStep;
  readonly stepReference: string;
  readonly attempt: number;
  /** The steps that it covers, in order. */
  readonly covers: readonly RedirectStep[];
  readonly returnUrl: string;
  readonly keyFactsHash: string;
  readonly expiresAt: string;
}

export interface StepDecision {
  readonly decision: Decision;
  readonly decidedAt: Date;
}

interface SessionRow {
  token: string;
  lender: string;
  offer_reference: string;
  step: RedirectStep;
  step_reference: string;
  attempt: number;
  covers: string;
  return_url: string;
  key_facts_hash: string;
  expires_at: string;
}

export class Sessions {
  readonly #database: Database;
  readonly #world: World;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  open(session: Session): void {
    const { token, lender, offerReference, step, stepReference, attempt, covers } = session;
    const { returnUrl, keyFactsHash, expiresAt } = session;
    this.#database.run(
      `INSERT INTO sessions (token, lender, offer_reference, step, step_reference, attempt, covers,
       return_url, key_facts_hash, opened_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        token,
        lender,
        offerReference,
        step,
        stepReference,
        attempt,
        JSON.stringify(covers),
        returnUrl,
        keyFactsHash,
        this.#world.now().toISOString(),
        expiresAt,
      ],
    );
  }

  /** Extends the same visit; its decisions stay. */
  renew(session: Session, returnUrl: string, expiresAt: string): Session {
    const sql = 'UPDATE sessions SET return_url = ?, expires_at = ? WHERE token = ?';
    this.#database.run(sql, [returnUrl, expiresAt, session.token]);
    return { ...session, returnUrl, expiresAt };
  }

  byToken(lender: string, token: string): Session | null {
    return this.#find('lender = ? AND token = ?', [lender, token]);
  }

  /** Of one attempt at one step. */
  byStep(lender: string, stepReference: string): Session | null {
    return this.#find('lender = ? AND step_reference = ?', [lender, stepReference]);
  }

  /** The last visit for another step of the same loan that covers this step. */
  covering(lender: string, offerReference: string, step: RedirectStep): Session | null {
    return this.#find(
      `lender = ? AND offer_reference = ? AND step <> ?
       AND ? IN (SELECT value FROM json_each(covers))`,
      [lender, offerReference, step, step],
    );
  }

  decision(session: Session, step: RedirectStep): StepDecision | null {
    const row = this.#database
      .all<{ decision: Decision; decided_at: string }>(
        'SELECT decision, decided_at FROM decisions WHERE token = ? AND step = ?',
        [session.token, step],
      )
      .at(0);
    return row ? { decision: row.decision, decidedAt: new Date(row.decided_at) } : null;
  }

  /** The step that the page displays next; null when all are decided. */
  nextStep(session: Session): RedirectStep | null {
    for (const step of session.covers) {
      const found = this.decision(session, step);
      if (!found) return step;
      if (found.decision === 'decline') return null;
    }
    return null;
  }

  /** Decides the next step once, and the questions that wait for it. */
  decide(session: Session, step: RedirectStep, decision: Decision): void {
    const now = this.#world.now().toISOString();
    this.#database.transaction(() => {
      this.#database.run(
        'INSERT INTO decisions (token, step, decision, decided_at) VALUES (?, ?, ?, ?)',
        [session.token, step, decision, now],
      );
      this.#database.run(
        `UPDATE questions SET due_at = ? WHERE lender = ? AND call = 'steps' AND verdict IS NULL
         AND json_extract(body, '$.offerReference') = ?`,
        [now, session.lender, session.offerReference],
      );
    });
  }

  #find(condition: string, values: string[]): Session | null {
    const row = this.#database
      .all<SessionRow>(`SELECT * FROM sessions WHERE ${condition} ORDER BY rowid DESC LIMIT 1`, [
        ...values,
      ])
      .at(0);
    return row ? readSession(row) : null;
  }
}

function readSession(row: SessionRow): Session {
  return {
    token: row.token,
    lender: row.lender,
    offerReference: row.offer_reference,
    step: row.step,
    stepReference: row.step_reference,
    attempt: row.attempt,
    covers: JSON.parse(row.covers) as RedirectStep[],
    returnUrl: row.return_url,
    keyFactsHash: row.key_facts_hash,
    expiresAt: row.expires_at,
  };
}
