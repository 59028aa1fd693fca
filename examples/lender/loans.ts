import type { Database } from './database.ts';
import type { Lender } from './question.ts';
import type { World } from './world.ts';

export type LoanStatus = 'ACTIVE' | 'CLOSED' | 'EXITED' | 'REVERSED' | 'TRANSFERRED';

export interface Payout {
  readonly amount: number;
  readonly utr: string;
  readonly accountLastFour: string;
  readonly paidAt: string;
}

export interface Loan {
  readonly reference: string;
  readonly applicationId: string;
  readonly offerReference: string | null;
  readonly principal: number;
  readonly status: LoanStatus;
  /** Null for a sanctioned loan that is paid out another way. */
  readonly payout: Payout | null;
  readonly endedAt: string | null;
}

interface LoanRow {
  reference: string;
  application_id: string;
  offer_reference: string | null;
  principal: number;
  status: LoanStatus;
  amount: number | null;
  utr: string | null;
  account_last_four: string | null;
  paid_at: string | null;
  ended_at: string | null;
}

/** At most one loan per application. */
export class Loans {
  readonly #database: Database;
  readonly #world: World;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  find(lender: Lender, reference: string): Loan | null {
    const sql = 'SELECT * FROM loans WHERE lender = ? AND reference = ?';
    return readLoan(this.#database.all<LoanRow>(sql, [lender.code, reference]).at(0));
  }

  ofApplication(lender: Lender, applicationId: string): Loan | null {
    const sql = 'SELECT * FROM loans WHERE lender = ? AND application_id = ?';
    return readLoan(this.#database.all<LoanRow>(sql, [lender.code, applicationId]).at(0));
  }

  /** @throws Error when the application already has a loan */
  open(
    lender: Lender,
    loan: Pick<Loan, 'applicationId' | 'offerReference' | 'principal'>,
    paid: Pick<Payout, 'amount' | 'accountLastFour'> | null,
  ): Loan {
    const now = this.#world.now().toISOString();
    const reference = this.#world.newId('loan');
    const utr = paid && this.#utr(lender);
    this.#database.run(
      `INSERT INTO loans (lender, reference, application_id, offer_reference, principal, status,
       amount, utr, account_last_four, opened_at, paid_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        lender.code,
        reference,
        loan.applicationId,
        loan.offerReference,
        loan.principal,
        'ACTIVE',
        paid?.amount ?? null,
        utr,
        paid?.accountLastFour ?? null,
        now,
        paid && now,
      ],
    );
    return this.find(lender, reference) as Loan;
  }

  end(lender: Lender, reference: string, status: LoanStatus): void {
    this.#database.run(
      'UPDATE loans SET status = ?, ended_at = ? WHERE lender = ? AND reference = ?',
      [status, this.#world.now().toISOString(), lender.code, reference],
    );
  }

  /** Like a bank's UTR: four letters, then unique digits and letters. */
  #utr(lender: Lender): string {
    const unique = this.#world.newId('').replaceAll('-', '').slice(0, 18).toUpperCase();
    return `${lender.code.slice(0, 4).toUpperCase()}${unique}`;
  }
}

function readLoan(row: LoanRow | undefined): Loan | null {
  if (!row) return null;
  const { amount, utr, account_last_four: accountLastFour, paid_at: paidAt } = row;
  const isPaid = amount !== null && utr !== null && accountLastFour !== null && paidAt !== null;
  return {
    reference: row.reference,
    applicationId: row.application_id,
    offerReference: row.offer_reference,
    principal: row.principal,
    status: row.status,
    payout: isPaid ? { amount, utr, accountLastFour, paidAt } : null,
    endedAt: row.ended_at,
  };
}
