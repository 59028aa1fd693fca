import { Injectable } from '@nestjs/common';
import { auditSource } from '../../audit/index.js';
import {
  Columns,
  Database,
  Keyring,
  type Language,
  sha256,
  Tx,
  Unreadable,
} from '../../platform/index.js';
import type { KeyFactsDraft, KeyFactsStatement } from '../domain/key-facts-statement.js';
import type { StatementOwner } from '../domain/key-facts-view.js';
import {
  type AcknowledgedBy,
  FrozenPdf,
  KeyFactsStatementRow,
} from './key-facts-statement.entity.js';

const columns = new Columns(KeyFactsStatementRow);

const PURPOSE = 'key_facts_statements.content';

export interface Acknowledgement {
  readonly at: Date;
  readonly language: Language;
}

interface StatementStanding {
  readonly contentHash: string;
  readonly acknowledgement: Acknowledgement | null;
}

export interface GivenAcknowledgement {
  readonly hash: string;
  readonly language: Language;
  readonly by: AcknowledgedBy;
  /** Default: now. */
  readonly at?: Date;
}

export interface FrozenKeyFacts extends StatementStanding {
  /** Canonical JSON, byte for byte as hashed. */
  readonly content: string;
  readonly statement: KeyFactsStatement;
  readonly owner: StatementOwner;
}

export type KeptKeyFacts = Pick<
  KeyFactsStatementRow,
  'contentHash' | 'frozenAt' | 'acknowledgedAt' | 'lenderSignature'
>;

/** Statements of chosen offers: hashed, sealed, never changed. */
@Injectable()
export class KeyFactsRepository {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** @param lenderSignature verified compact JWS over the hash */
  async freeze(
    tx: Tx,
    { partnerId, subjectId }: StatementOwner,
    offerId: string,
    { statement, content, contentHash }: KeyFactsDraft,
    lenderSignature?: string,
  ): Promise<void> {
    await tx.repository(KeyFactsStatementRow).insert({
      offerId,
      partnerId,
      journeyId: subjectId,
      templateVersion: statement.templateVersion,
      contentHash,
      contentSealed: this.keyring.seal(content, PURPOSE),
      lenderSignature: lenderSignature ?? null,
    });
  }

  /** Null when the offer was not chosen. */
  async standing(tx: Tx, partnerId: string, offerId: string): Promise<StatementStanding | null> {
    const [row] = await tx.query<Standing>(
      `SELECT ${columns.selected(STANDING)} FROM key_facts_statements
       WHERE offer_id = $1 AND partner_id = $2`,
      [offerId, partnerId],
    );
    return row ? standingOf(row) : null;
  }

  /**
   * The first acknowledgement counts.
   * @returns false for a repeated one, or one of another statement
   */
  async acknowledge(
    tx: Tx,
    partnerId: string,
    offerId: string,
    { hash, language, by, at }: GivenAcknowledgement,
  ): Promise<boolean> {
    const recorded = await tx.execute(
      `UPDATE key_facts_statements
       SET acknowledged_hash = content_hash, acknowledged_at = coalesce($4, app_now()),
         acknowledged_language = $5, acknowledged_by = $6
       WHERE offer_id = $1 AND partner_id = $2 AND content_hash = $3
         AND acknowledged_hash IS DISTINCT FROM content_hash`,
      [offerId, partnerId, hash, at ?? null, language, by],
    );
    return recorded > 0;
  }

  async kept(offerId: string): Promise<KeptKeyFacts | null> {
    return this.database.with(KeyFactsStatementRow, (statements) =>
      statements.findOne({
        select: { contentHash: true, frozenAt: true, acknowledgedAt: true, lenderSignature: true },
        where: { offerId },
      }),
    );
  }

  /**
   * The link proves the right to read.
   * @throws Unreadable when the content does not match its hash
   */
  async frozen(offerId: string): Promise<FrozenKeyFacts | null> {
    const row = await this.database.with(KeyFactsStatementRow, (statements) =>
      statements.findOneBy({ offerId }),
    );
    if (!row) return null;
    const content = this.keyring.open(row.contentSealed, PURPOSE);
    if (sha256(content) !== row.contentHash) {
      throw new Unreadable(`the statement of ${offerId} differs from the frozen one`);
    }
    const statement = JSON.parse(content) as KeyFactsStatement;
    const owner = { partnerId: row.partnerId, subjectId: row.journeyId };
    return { content, statement, ...standingOf(row), owner };
  }
}

const STANDING = [
  'contentHash',
  'acknowledgedHash',
  'acknowledgedAt',
  'acknowledgedLanguage',
] as const;
type Standing = Pick<KeyFactsStatementRow, (typeof STANDING)[number]>;

function standingOf(row: Standing): StatementStanding {
  const { contentHash, acknowledgedHash, acknowledgedAt: at, acknowledgedLanguage: language } = row;
  const isAcknowledged = at !== null && language !== null && acknowledgedHash === contentHash;
  return { contentHash, acknowledgement: isAcknowledged ? { at, language } : null };
}

type WhichPdf = Pick<FrozenPdf, 'partnerId' | 'contentHash' | 'language'>;

/** Keeps the first drawn bytes forever, sealed. */
@Injectable()
export class FrozenPdfsRepository {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** @throws Unreadable when it was altered, or belongs to another statement */
  async find({ partnerId, contentHash, language }: WhichPdf): Promise<Buffer | null> {
    const kept = await this.database.with(FrozenPdf, (pdfs) =>
      pdfs.findOneBy({ contentHash, language, partnerId }),
    );
    return kept ? this.keyring.openBytes(kept.pdfSealed, purposeOf(contentHash, language)) : null;
  }

  /** @returns the stored PDF: another process may have been first */
  async keep(which: WhichPdf, pdf: Buffer): Promise<Buffer> {
    const { partnerId, contentHash, language } = which;
    const pdfSealed = this.keyring.seal(pdf, purposeOf(contentHash, language));
    await this.database.with(FrozenPdf, (pdfs) =>
      pdfs
        .createQueryBuilder()
        .insert()
        .values({ contentHash, language, partnerId, pdfSealed })
        .orIgnore()
        .updateEntity(false)
        .execute(),
    );
    const kept = await this.find(which);
    if (!kept) throw new Error(`the PDF of ${contentHash} is not stored`);
    return kept;
  }
}

function purposeOf(contentHash: string, language: Language): string {
  return `key_facts_pdfs.pdf:${contentHash}.${language}`;
}

export const KEY_FACTS_ENTITIES = [KeyFactsStatementRow, FrozenPdf];

const BY: Readonly<Record<AcknowledgedBy, string>> = {
  CONFIRMATION: 'on the page of the hosted journey',
  REDIRECT: 'on our page before the provider’s',
  SANDBOX_RETURN: 'by a return that stands for a visit, in the sandbox alone',
};

export const KEY_FACTS_SOURCE = auditSource(KeyFactsStatementRow, {
  subject: 'journeyId',
  at: 'frozenAt',
  sealed: ['contentSealed'],
  filledIn: ['acknowledgedHash', 'acknowledgedAt', 'acknowledgedBy', 'acknowledgedLanguage'],
  tell: ({ offer_id: offer = '', content_hash: hash = '', acknowledged_at: at, ...row }) => {
    const which = `the Key Facts Statement of the offer ${offer}, SHA-256 ${hash}`;
    const signed = row['lender_signature'] === undefined ? '' : ', signed by its lender';
    if (at === undefined) return `Frozen, as its offer was chosen: ${which}${signed}.`;
    const { acknowledged_language: language = 'not noted', acknowledged_by: by = '' } = row;
    const how = BY[by as AcknowledgedBy] ?? by;
    return `Acknowledged by the applicant ${how}, language ${language}: ${which}.`;
  },
});
