import { Injectable } from '@nestjs/common';
import { Batcher, Columns, Database, READS_A_BATCH, RowArrays, Tx } from '../../platform/index.js';
import { choosableUntil } from '../domain/journey.js';
import type { Journey } from './journey.entity.js';
import { Offer } from './offer.entity.js';

const columns = new Columns(Offer);

/** Has the lender's reference when it made only one offer. */
export interface LenderOffers {
  readonly lenderCode: string;
  readonly onlyReference: string | null;
}

export interface RoundOffers {
  readonly lastValidUntil: Date;
  readonly lenderCodes: readonly string[];
}

export type NewOffer = Omit<Offer, 'createdAt'>;

const INSERTED = new RowArrays(
  columns,
  columns.properties.filter((property) => property !== 'createdAt'),
  { more: '(SELECT app_now())' },
);

@Injectable()
export class OffersRepository {
  private readonly lists: Batcher<Journey, Offer[]>;

  constructor(private readonly database: Database) {
    this.lists = new Batcher({ ...READS_A_BATCH, run: (journeys) => this.listAll(journeys) });
  }

  async insertAll(tx: Tx, offers: readonly NewOffer[]): Promise<void> {
    await tx.execute(
      `INSERT INTO journey_offers (${INSERTED.list}, created_at) ${INSERTED.select}
       ON CONFLICT (journey_id, round, lender_code, lender_reference) DO NOTHING`,
      INSERTED.values(offers),
    );
  }

  async list(journey: Journey): Promise<Offer[]> {
    return this.lists.add(journey);
  }

  private async listAll(journeys: readonly Journey[]): Promise<Offer[][]> {
    const rows = await this.database.prepared<Offer>(
      'offers-of-rounds',
      `SELECT ${columns.selected()} FROM journey_offers WHERE journey_id = ANY ($1)
       ORDER BY (figures ->> 'apr')::numeric, lender_code, id`,
      [[...new Set(journeys.map(({ id }) => id))]],
    );
    const offers = Map.groupBy(rows, ({ journeyId }) => journeyId);
    return journeys.map(({ id, partnerId, offerRound }) =>
      (offers.get(id) ?? []).filter(
        (offer) => offer.partnerId === partnerId && offer.round === offerRound,
      ),
    );
  }

  async listIn(tx: Tx, { id: journeyId, partnerId, offerRound: round }: Journey): Promise<Offer[]> {
    return tx.repository(Offer).find({
      where: { journeyId, partnerId, round },
      order: { lenderCode: 'ASC', id: 'ASC' },
    });
  }

  async roundsOf(tx: Tx, journeys: readonly Journey[]): Promise<ReadonlyMap<string, RoundOffers>> {
    const rows = await tx.query<RoundOffers & { id: string }>(
      `SELECT o.journey_id AS id, max(o.valid_until) AS "lastValidUntil",
         array_agg(DISTINCT o.lender_code) AS "lenderCodes"
       FROM unnest($1::text[], $2::text[], $3::integer[]) AS j (id, partner_id, round)
       CROSS JOIN LATERAL (
         SELECT * FROM journey_offers WHERE journey_id = j.id AND round = j.round OFFSET 0) AS o
       WHERE o.partner_id = j.partner_id
       GROUP BY o.journey_id`,
      [
        journeys.map(({ id }) => id),
        journeys.map(({ partnerId }) => partnerId),
        journeys.map(({ offerRound }) => offerRound),
      ],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** When the round's last offer can no longer be chosen; null without an offer. */
  async lastChoosable(tx: Tx, journey: Journey): Promise<Date | null> {
    const last = (await this.roundsOf(tx, [journey])).get(journey.id)?.lastValidUntil;
    return last ? choosableUntil(journey, last) : null;
  }

  async lendersOf(tx: Tx, { id, partnerId }: Journey): Promise<LenderOffers[]> {
    return tx.query(
      `SELECT lender_code AS "lenderCode",
         CASE WHEN count(*) = 1 THEN min(lender_reference) END AS "onlyReference"
       FROM journey_offers WHERE journey_id = $1 AND partner_id = $2
       GROUP BY lender_code ORDER BY lender_code`,
      [id, partnerId],
    );
  }

  findInRound(journey: Journey, offerId: string): Promise<Offer | null> {
    return this.database.first(
      `SELECT ${columns.selected()} FROM journey_offers
       WHERE id = $1 AND journey_id = $2 AND partner_id = $3 AND round = $4`,
      [offerId, journey.id, journey.partnerId, journey.offerRound],
    );
  }

  /** The link to the Key Facts Statement is the permission. */
  async findByLink(offerId: string): Promise<Offer | null> {
    return this.database.with(Offer, (offers) => offers.findOneBy({ id: offerId }));
  }

  /** @throws Error when none is selected */
  async selected(tx: Tx, journey: Journey): Promise<Offer> {
    const offer =
      journey.selectedOfferId && (await this.find(tx, journey, journey.selectedOfferId));
    if (!offer) throw new Error('the journey has no selected offer');
    return offer;
  }

  async find(tx: Tx, { id, partnerId }: Journey, offerId: string): Promise<Offer | null> {
    return tx.repository(Offer).findOneBy({ id: offerId, journeyId: id, partnerId });
  }

  /** Of any round, undone choices included. */
  async withBranch(tx: Tx, { id, partnerId }: Journey): Promise<Offer[]> {
    return tx.query(
      `SELECT ${columns.selected()} FROM journey_offers
       WHERE journey_id = $1 AND partner_id = $2 AND id IN (
         SELECT detail ->> 'selectedOfferId' FROM journey_audit
         WHERE journey_id = $1 AND partner_id = $2 AND trigger = 'BRANCH_SELECTED')
       ORDER BY created_at, id`,
      [id, partnerId],
    );
  }

  async expire(tx: Tx, { id, partnerId }: Offer): Promise<void> {
    await tx.execute(
      `UPDATE journey_offers SET valid_until = app_now()
       WHERE id = $1 AND partner_id = $2 AND valid_until > app_now()`,
      [id, partnerId],
    );
  }
}
