import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import type { RedirectStep } from './lender-terms.ts';
import type { Lender } from './question.ts';
import type { World } from './world.ts';

export interface PassedStep {
  readonly passedAt: string;
  readonly evidence: object;
}

/** Evidence of a passed step; the same on every repeat. */
export class PassedSteps {
  readonly #database: Database;
  readonly #world: World;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  find(lender: Lender, offerReference: string, step: RedirectStep): PassedStep | null {
    const row = this.#database
      .all<{ evidence: string; passed_at: string }>(
        `SELECT evidence, passed_at FROM passed_steps
       WHERE lender = ? AND offer_reference = ? AND step = ?`,
        [lender.code, offerReference, step],
      )
      .at(0);
    return row ? { passedAt: row.passed_at, evidence: JSON.parse(row.evidence) as object } : null;
  }

  pass(lender: Lender, offerReference: string, step: RedirectStep, signs: string): PassedStep {
    const known = this.find(lender, offerReference, step);
    if (known) return known;
    const evidence = this.#evidence(lender, step, signs);
    const passedAt = this.#world.now().toISOString();
    this.#database.run(
      `INSERT INTO passed_steps (lender, offer_reference, step, evidence, passed_at)
       VALUES (?, ?, ?, ?, ?)`,
      [lender.code, offerReference, step, JSON.stringify(evidence), passedAt],
    );
    return { passedAt, evidence };
  }

  #evidence(lender: Lender, step: RedirectStep, signs: string): object {
    if (step === 'KYC') return { step, kycReference: this.#world.newId('kyc') };
    if (step === 'MANDATE') {
      // As long as a UMRN: four letters of the bank, then the NPCI's number.
      const number = this.#world.newId('').replaceAll('-', '').slice(0, 16).toUpperCase();
      return { step, mandateReference: `${lender.code.slice(0, 4).toUpperCase()}${number}` };
    }
    const agreement = `Loan agreement of ${lender.name}; Key Facts Statement ${signs}`;
    return { step, documentHash: createHash('sha256').update(agreement).digest('hex') };
  }
}
