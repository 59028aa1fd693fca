import type { Database } from './database.ts';
import type { Lender } from './question.ts';
import type { ProductTerms } from './lender-terms.ts';
import type { World } from './world.ts';

/** One lender's data of one application; several lenders can have the same application. */
export interface Application {
  readonly applicationId: string;
  readonly product: string;
  /** Empty after an erasure. */
  readonly pan: string;
  readonly accountLastFour: string | null;
}

/** An offer with its terms at that time, whatever the lender's file says later. */
export interface StoredOffer {
  readonly reference: string;
  readonly applicationId: string;
  readonly terms: ProductTerms;
  readonly principal: number;
  readonly goldGrams: string | null;
  readonly validUntil: string;
  readonly isWithdrawn: boolean;
}

interface OfferRow {
  reference: string;
  application_id: string;
  terms: string;
  principal: number;
  gold_grams: string | null;
  valid_until: string;
  withdrawn_at: string | null;
}

/** Applications and their offers. */
export class Applications {
  readonly #database: Database;
  readonly #world: World;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  /** Adds or updates an application. */
  open(
    lender: Lender,
    facts: {
      applicationId: string;
      product: string;
      pan: string;
      applicant: string;
      consent: string;
    },
  ): void {
    const { applicationId, product, pan, applicant, consent } = facts;
    this.#database.run(
      `INSERT INTO applications (lender, application_id, product, pan, applicant, consent, opened_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (lender, application_id) DO UPDATE
       SET pan = excluded.pan, applicant = excluded.applicant, consent = excluded.consent`,
      [lender.code, applicationId, product, pan, applicant, consent, this.#now()],
    );
  }

  /** Records the enquiry that a real lender would make. */
  enquire(lender: Lender, applicationId: string): void {
    this.#database.run('INSERT INTO enquiries VALUES (?, ?, ?, ?)', [
      lender.code,
      applicationId,
      'SOFT',
      this.#now(),
    ]);
  }

  find(lender: Lender, applicationId: string): Application | null {
    const row = this.#database
      .all<{
        product: string;
        pan: string | null;
        account_last_four: string | null;
      }>(
        'SELECT product, pan, account_last_four FROM applications WHERE lender = ? AND application_id = ?',
        [lender.code, applicationId],
      )
      .at(0);
    if (!row) return null;
    const { product, pan, account_last_four: accountLastFour } = row;
    return { applicationId, product, pan: pan ?? '', accountLastFour };
  }

  takeAccount(lender: Lender, applicationId: string, lastFour: string): void {
    this.#database.run(
      'UPDATE applications SET account_last_four = ? WHERE lender = ? AND application_id = ?',
      [lastFour, lender.code, applicationId],
    );
  }

  /** Erases personal data, also in waiting questions; decisions stay. */
  erase(lender: Lender, applicationId: string): void {
    this.#database.run(
      `UPDATE applications SET pan = NULL, applicant = NULL, account_last_four = NULL
       WHERE lender = ? AND application_id = ?`,
      [lender.code, applicationId],
    );
    this.#database.run(
      `UPDATE questions SET body = '{}', due_at = NULL
       WHERE lender = ? AND verdict IS NULL AND json_extract(body, '$.applicationId') = ?
       AND call <> 'withdrawals'`,
      [lender.code, applicationId],
    );
  }

  addOffer(lender: Lender, offer: Omit<StoredOffer, 'isWithdrawn'>): void {
    const { reference, applicationId, terms, principal, goldGrams, validUntil } = offer;
    this.#database.run(
      `INSERT INTO offers (lender, reference, application_id, terms, principal, gold_grams,
       valid_until, offered_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        lender.code,
        reference,
        applicationId,
        JSON.stringify(terms),
        principal,
        goldGrams,
        validUntil,
        this.#now(),
      ],
    );
  }

  offer(lender: Lender, reference: string): StoredOffer | null {
    const sql = 'SELECT * FROM offers WHERE lender = ? AND reference = ?';
    const row = this.#database.all<OfferRow>(sql, [lender.code, reference]).at(0);
    return row ? readOffer(row) : null;
  }

  withdrawOffers(
    lender: Lender,
    applicationId: string,
    references: readonly string[] | null,
  ): void {
    this.#database.run(
      `UPDATE offers SET withdrawn_at = ? WHERE lender = ? AND application_id = ?
       AND withdrawn_at IS NULL AND (? IS NULL OR reference IN (SELECT value FROM json_each(?)))`,
      [
        this.#now(),
        lender.code,
        applicationId,
        references && 'some',
        JSON.stringify(references ?? []),
      ],
    );
  }

  #now(): string {
    return this.#world.now().toISOString();
  }
}

function readOffer(row: OfferRow): StoredOffer {
  return {
    reference: row.reference,
    applicationId: row.application_id,
    terms: JSON.parse(row.terms) as ProductTerms,
    principal: row.principal,
    goldGrams: row.gold_grams,
    validUntil: row.valid_until,
    isWithdrawn: row.withdrawn_at !== null,
  };
}
