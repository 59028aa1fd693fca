import type { Database } from './database.ts';
import type { Lender } from './question.ts';
import type { World } from './world.ts';

export interface Selection {
  readonly applicationReference: string;
  readonly offerReference: string;
  readonly amount: number;
  readonly keyFactsHash: string;
}

interface SelectionRow {
  application_reference: string;
  offer_reference: string;
  amount: number;
  key_facts_hash: string;
}

/** The chosen offers; one row per selection. */
export class Selections {
  readonly #database: Database;
  readonly #world: World;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  /** The valid choice: the last one, or the one before if the last was withdrawn. */
  find(lender: Lender, applicationId: string): Selection | null {
    const row = this.#database
      .all<SelectionRow>(
        `SELECT application_reference, offer_reference, amount, key_facts_hash FROM selections
       WHERE lender = ? AND application_id = ?
       ORDER BY EXISTS (SELECT 1 FROM offers WHERE offers.lender = selections.lender
         AND offers.reference = selections.offer_reference AND withdrawn_at IS NOT NULL),
         rowid DESC LIMIT 1`,
        [lender.code, applicationId],
      )
      .at(0);
    if (!row) return null;
    return {
      applicationReference: row.application_reference,
      offerReference: row.offer_reference,
      amount: row.amount,
      keyFactsHash: row.key_facts_hash,
    };
  }

  add(
    lender: Lender,
    key: string,
    applicationId: string,
    selection: Selection & { readonly branchReference: string | null },
  ): void {
    const { offerReference, applicationReference, amount, keyFactsHash, branchReference } =
      selection;
    this.#database.run(
      `INSERT INTO selections (lender, key, application_id, offer_reference, application_reference,
       amount, key_facts_hash, branch_reference, selected_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        lender.code,
        key,
        applicationId,
        offerReference,
        applicationReference,
        amount,
        keyFactsHash,
        branchReference,
        this.#world.now().toISOString(),
      ],
    );
  }
}
