import { Injectable } from '@nestjs/common';
import { auditSource } from '../../audit/index.js';
import { Batcher, Columns, Database, type Tx } from '../../platform/index.js';
import { ELIGIBILITY_ORDER } from '../metric-texts.js';
import { OfferPresentation } from './offer-presentation.entity.js';

const columns = new Columns(OfferPresentation);

export type NewPresentation = Omit<OfferPresentation, 'recordedAt'>;

const GIVEN = columns.list(columns.properties.filter((property) => property !== 'recordedAt'));

// Ordered: concurrent inserts could deadlock.
const INSERT = `
  INSERT INTO offer_presentations (${GIVEN})
  SELECT ${GIVEN} FROM jsonb_populate_recordset(NULL::offer_presentations, $1)
  ORDER BY subject_id, fingerprint
  ON CONFLICT (subject_id, fingerprint) DO NOTHING
`;

const A_BATCH = { maxItems: 64, maxInFlight: 2 };

@Injectable()
export class OfferPresentationsRepository {
  private readonly inserts: Batcher<NewPresentation, void>;

  constructor(private readonly database: Database) {
    this.inserts = new Batcher({ ...A_BATCH, run: (rows) => this.insertAll(rows) });
  }

  insert(presentation: NewPresentation): Promise<void> {
    return this.inserts.add(presentation);
  }

  async insertIn(tx: Tx, presentation: NewPresentation): Promise<void> {
    await tx.execute(INSERT, [recordsOf([presentation])]);
  }

  /**
   * The last comparison in a round and place, preferring the language, then the order. A return to an earlier one adds
   * no row on the same day.
   */
  newestShown(
    tx: Tx,
    seen: Pick<
      OfferPresentation,
      'partnerId' | 'subjectId' | 'round' | 'place' | 'language' | 'metric'
    >,
  ): Promise<string | null> {
    return tx.value<string>(
      `SELECT id FROM offer_presentations
       WHERE partner_id = $1 AND subject_id = $2 AND round = $3 AND kind = 'SHOWN' AND place = $4
       ORDER BY language IS NOT DISTINCT FROM $5::text DESC,
         split_part(metric, '/', 1) = split_part($6, '/', 1) DESC, recorded_at DESC, id DESC
       LIMIT 1`,
      [seen.partnerId, seen.subjectId, seen.round, seen.place, seen.language, seen.metric],
    );
  }

  /** Oldest first. */
  async contentsOf(
    tx: Tx,
    subjectId: string,
  ): Promise<Pick<OfferPresentation, 'id' | 'kind' | 'content'>[]> {
    return tx.repository(OfferPresentation).find({
      select: { id: true, kind: true, content: true },
      where: { subjectId },
      order: { recordedAt: 'ASC', id: 'ASC' },
    });
  }

  private async insertAll(presentations: readonly NewPresentation[]): Promise<void[]> {
    // Retried when another transaction locks these loans' chains too long.
    await this.database.transaction((tx) => tx.execute(INSERT, [recordsOf(presentations)]));
    return presentations.map(() => undefined);
  }
}

function recordsOf(presentations: readonly NewPresentation[]): string {
  return JSON.stringify(presentations.map((presentation) => columns.toRecord(presentation)));
}

export const MATCHING_ENTITIES = [OfferPresentation];

export const OFFER_PRESENTATION_SOURCE = auditSource(OfferPresentation, {
  subject: 'subjectId',
  at: 'recordedAt',
  // Long; the audit contains its hash.
  sealed: ['content'],
  tell: ({ id = '', kind = '', place = '', language, metric = '', content_hash: hash = '' }) => {
    const by = place === 'API' ? 'to the partner by the API' : 'on our page';
    const where = language === undefined ? by : `${by}, language ${language}`;
    const file = presentationFile(kind, id);
    if (metric === ELIGIBILITY_ORDER) {
      return `Which lenders were likely to make an offer was shown ${where}, in the order of their codes; it is in “${file}”, SHA-256 ${hash}.`;
    }
    return kind === 'CHOSEN'
      ? `An offer was chosen of those that were shown ${where}; which, and of which ones, is in “${file}”, SHA-256 ${hash}.`
      : `Offers were shown ${where}, in the order of the published metric ${metric}; the comparison is in “${file}”, SHA-256 ${hash}.`;
  },
});

/** Document name in the auditor's file. */
export function presentationFile(kind: string, id: string): string {
  return `offers ${kind.toLowerCase()} ${id}.json`;
}
