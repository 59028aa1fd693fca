import { Injectable } from '@nestjs/common';
import { Batcher, Database, READS_A_BATCH, Tx } from '../../platform/index.js';
import type { Journey } from '../journey.js';
import type { Offer } from './offer.js';

const SELECTED = `id, partner_id AS "partnerId", journey_id AS "journeyId", round,
  lender_code AS "lenderCode", lender_reference AS "lenderReference", seller_name AS "sellerName",
  principal, minimum_amount AS "minimumAmount", figures, terms, valid_until AS "validUntil",
  created_at AS "createdAt"`;

export type NewOffer = Omit<Offer, 'createdAt'>;

@Injectable()
export class OffersRepository {
  /** Requests that ask at the same moment share one round trip. */
  private readonly lists: Batcher<Journey, Offer[]>;

  constructor(private readonly database: Database) {
    this.lists = new Batcher({ ...READS_A_BATCH, run: (journeys) => this.listAll(journeys) });
  }

  /** Stores an offer; one that the lender sent before changes nothing. */
  async insert(tx: Tx, offer: NewOffer): Promise<void> {
    await tx.execute(
      `INSERT INTO journey_offers (id, partner_id, journey_id, round, lender_code,
         lender_reference, seller_name, principal, minimum_amount, figures, terms, valid_until,
         created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, app_now())
       ON CONFLICT (journey_id, round, lender_code, lender_reference) DO NOTHING`,
      [
        offer.id,
        offer.partnerId,
        offer.journeyId,
        offer.round,
        offer.lenderCode,
        offer.lenderReference,
        offer.sellerName,
        offer.principal,
        offer.minimumAmount,
        JSON.stringify(offer.figures),
        JSON.stringify(offer.terms),
        offer.validUntil,
      ],
    );
  }

  /** The offers of the journey's current round, lowest APR first: the one public metric. */
  async list(journey: Journey): Promise<Offer[]> {
    return this.lists.add(journey);
  }

  private async listAll(journeys: readonly Journey[]): Promise<Offer[][]> {
    const rows = await this.database.prepared<Offer & Record<string, unknown>>(
      'offers-of-rounds',
      `SELECT ${SELECTED} FROM journey_offers WHERE journey_id = ANY ($1)
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

  /** When the last of the round's offers runs out; null when there is none. */
  async lastValidUntil(tx: Tx, journey: Journey): Promise<Date | null> {
    const [row] = await tx.query<{ last: Date | null }>(
      `SELECT max(valid_until) AS last FROM journey_offers
       WHERE journey_id = $1 AND partner_id = $2 AND round = $3`,
      [journey.id, journey.partnerId, journey.offerRound],
    );
    return row?.last ?? null;
  }

  async findInRound(journey: Journey, offerId: string): Promise<Offer | null> {
    const [row] = await this.database.query<Offer & Record<string, unknown>>(
      `SELECT ${SELECTED} FROM journey_offers
       WHERE id = $1 AND journey_id = $2 AND partner_id = $3 AND round = $4`,
      [offerId, journey.id, journey.partnerId, journey.offerRound],
    );
    return row ?? null;
  }

  /** For the Key Facts Statement's link, which is its own proof: the offer without its owner. */
  async findByLink(offerId: string): Promise<Offer | null> {
    const [row] = await this.database.query<Offer & Record<string, unknown>>(
      `SELECT ${SELECTED} FROM journey_offers WHERE id = $1`,
      [offerId],
    );
    return row ?? null;
  }

  /** The offer that the journey has chosen. */
  async selected(tx: Tx, journey: Journey): Promise<Offer> {
    const [row] = await tx.query<Offer>(
      `SELECT ${SELECTED} FROM journey_offers
       WHERE id = $1 AND journey_id = $2 AND partner_id = $3`,
      [journey.selectedOfferId, journey.id, journey.partnerId],
    );
    if (!row) throw new Error('the journey has no selected offer');
    return row;
  }
}
