import { Injectable } from '@nestjs/common';
import { Batcher, Columns, Database, type Tx } from '../../platform/index.js';
import { OfferPresentation } from './offer-presentation.entity.js';

const columns = new Columns(OfferPresentation);

export type NewPresentation = Omit<OfferPresentation, 'recordedAt'>;

const GIVEN = columns.list(columns.properties.filter((property) => property !== 'recordedAt'));

// In one order, or two that record the same at the same moment might wait for each other in a circle.
const INSERT = `
  INSERT INTO offer_presentations (${GIVEN})
  SELECT ${GIVEN} FROM jsonb_populate_recordset(NULL::offer_presentations, $1)
  ORDER BY subject_id, fingerprint
  ON CONFLICT (subject_id, fingerprint) DO NOTHING
`;

const A_BATCH = { maxItems: 64, maxInFlight: 2 };

@Injectable()
export class OfferPresentationsRepository {
  /** Answers that show something for the first time at the same moment share one round trip. */
  private readonly inserts: Batcher<NewPresentation, void>;

  constructor(private readonly database: Database) {
    this.inserts = new Batcher({ ...A_BATCH, run: (rows) => this.insertAll(rows) });
  }

  /** Records it by itself; what is recorded already stays as it is. */
  insert(presentation: NewPresentation): Promise<void> {
    return this.inserts.add(presentation);
  }

  async insertIn(tx: Tx, presentation: NewPresentation): Promise<void> {
    await tx.execute(INSERT, [recordsOf([presentation])]);
  }

  /**
   * The id of what was shown last of a round in a place; null when nothing was. What was shown in the
   * language comes first, and of that what stood in the order, by whatever version of it: a row is recorded
   * once a day, so who has gone back to a language or an order has no newer one.
   */
  async newestShown(
    tx: Tx,
    seen: Pick<
      OfferPresentation,
      'partnerId' | 'subjectId' | 'round' | 'place' | 'language' | 'metric'
    >,
  ): Promise<string | null> {
    const [newest] = await tx.query<{ id: string }>(
      `SELECT id FROM offer_presentations
       WHERE partner_id = $1 AND subject_id = $2 AND round = $3 AND kind = 'SHOWN' AND place = $4
       ORDER BY language IS NOT DISTINCT FROM $5::text DESC,
         split_part(metric, '/', 1) = split_part($6, '/', 1) DESC, recorded_at DESC, id DESC
       LIMIT 1`,
      [seen.partnerId, seen.subjectId, seen.round, seen.place, seen.language, seen.metric],
    );
    return newest?.id ?? null;
  }

  /** What was shown and chosen of a loan, oldest first. */
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
    // As a transaction, which is tried again when another one has the chains of these loans for too long.
    await this.database.transaction((tx) => tx.execute(INSERT, [recordsOf(presentations)]));
    return presentations.map(() => undefined);
  }
}

function recordsOf(presentations: readonly NewPresentation[]): string {
  return JSON.stringify(presentations.map((presentation) => columns.toRecord(presentation)));
}
