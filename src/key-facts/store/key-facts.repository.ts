import { Injectable } from '@nestjs/common';
import { Columns, Database, Keyring, sha256, Tx } from '../../platform/index.js';
import type { KeyFactsDraft } from '../statement/key-facts-drafts.js';
import type { KeyFactsStatement } from '../statement/key-facts-statement.js';
import type { StatementOwner } from '../statement/key-facts-view.js';
import { KeyFactsStatementRow } from './key-facts-statement.entity.js';

const columns = new Columns(KeyFactsStatementRow);

const PURPOSE = 'key_facts_statements.content';

/** A statement as it was agreed to. */
export interface FrozenKeyFacts {
  readonly statement: KeyFactsStatement;
  /** SHA-256 (hex) of its canonical JSON. */
  readonly contentHash: string;
  readonly owner: StatementOwner;
}

/** The statements as they were agreed to: frozen, hashed, sealed, and never changed. */
@Injectable()
export class KeyFactsRepository {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  async freeze(
    tx: Tx,
    { partnerId, subjectId }: StatementOwner,
    offerId: string,
    { statement, content, contentHash }: KeyFactsDraft,
  ): Promise<void> {
    await tx.repository(KeyFactsStatementRow).insert({
      offerId,
      partnerId,
      journeyId: subjectId,
      templateVersion: statement.templateVersion,
      contentHash,
      contentSealed: this.keyring.seal(content, PURPOSE),
    });
  }

  async hashOf(tx: Tx, partnerId: string, offerId: string): Promise<string | null> {
    const [row] = await tx.query<Pick<KeyFactsStatementRow, 'contentHash'>>(
      `SELECT ${columns.selected(undefined, ['contentHash'])} FROM key_facts_statements
       WHERE offer_id = $1 AND partner_id = $2`,
      [offerId, partnerId],
    );
    return row?.contentHash ?? null;
  }

  /**
   * For the statement's link, which is its own proof.
   * @throws Error when what is kept is no longer what was hashed
   */
  async frozen(offerId: string): Promise<FrozenKeyFacts | null> {
    const row = await this.database.with(KeyFactsStatementRow, (statements) =>
      statements.findOneBy({ offerId }),
    );
    if (!row) return null;
    const content = this.keyring.open(row.contentSealed, PURPOSE);
    if (sha256(content) !== row.contentHash) {
      throw new Error(`the statement of ${offerId} is not what was agreed to`);
    }
    const statement = JSON.parse(content) as KeyFactsStatement;
    const owner = { partnerId: row.partnerId, subjectId: row.journeyId };
    return { statement, contentHash: row.contentHash, owner };
  }
}
