import { Injectable } from '@nestjs/common';
import { Database, Keyring, sha256, Tx } from '../../platform/index.js';
import { canonicalJson, type KeyFactsStatement } from '../../loans/index.js';
import type { Journey } from '../journey.js';

const PURPOSE = 'key_facts_statements.content';

/** A statement as it was agreed to, and the SHA-256 (hex) of its canonical JSON. */
export interface FrozenKeyFacts {
  readonly statement: KeyFactsStatement;
  readonly contentHash: string;
}

/** The same by its link, which says nothing of whose it is. */
export interface LinkedFrozenKeyFacts extends FrozenKeyFacts {
  readonly owner: { readonly partnerId: string; readonly subjectId: string };
}

interface FrozenRow extends Record<string, unknown> {
  content_sealed: string;
  content_hash: string;
  partner_id: string;
  journey_id: string;
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
    journey: Journey,
    offerId: string,
    statement: KeyFactsStatement,
  ): Promise<void> {
    const content = canonicalJson(statement);
    await tx.execute(
      `INSERT INTO key_facts_statements (offer_id, partner_id, journey_id, template_version,
         content_hash, content_sealed, frozen_at)
       VALUES ($1, $2, $3, $4, $5, $6, app_now())`,
      [
        offerId,
        journey.partnerId,
        journey.id,
        statement.templateVersion,
        sha256(content),
        this.keyring.seal(content, PURPOSE),
      ],
    );
  }

  async hashOf(tx: Tx, partnerId: string, offerId: string): Promise<string | null> {
    const [row] = await tx.query<{ content_hash: string }>(
      'SELECT content_hash FROM key_facts_statements WHERE offer_id = $1 AND partner_id = $2',
      [offerId, partnerId],
    );
    return row?.content_hash ?? null;
  }

  /**
   * For the statement's link, which is its own proof.
   * @throws Error when what is kept is no longer what was hashed
   */
  async frozen(offerId: string): Promise<LinkedFrozenKeyFacts | null> {
    const [row] = await this.database.query<FrozenRow>(
      'SELECT content_sealed, content_hash, partner_id, journey_id FROM key_facts_statements WHERE offer_id = $1',
      [offerId],
    );
    if (!row) return null;
    const content = this.keyring.open(row.content_sealed, PURPOSE);
    if (sha256(content) !== row.content_hash) {
      throw new Error(`the statement of ${offerId} is not what was agreed to`);
    }
    const statement = JSON.parse(content) as KeyFactsStatement;
    const owner = { partnerId: row.partner_id, subjectId: row.journey_id };
    return { statement, contentHash: row.content_hash, owner };
  }
}
