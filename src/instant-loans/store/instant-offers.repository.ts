import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { isMade, type OfferContent } from '../domain/instant-offer.js';
import type { ChosenInstantLoan, InstantLoan } from './instant-loan.entity.js';
import { InstantOffer, type MadeOffer } from './instant-offer.entity.js';

type OfAnOffer = 'reason' | keyof OfferContent;

export type NewInstantOffer = Omit<InstantOffer, OfAnOffer | 'recordedAt'> &
  Partial<Pick<InstantOffer, OfAnOffer>>;

@Injectable()
export class InstantOffersRepository {
  constructor(private readonly database: Database) {}

  /** Links are the proof, so no partner is needed. */
  async findByLink(id: string): Promise<InstantOffer | null> {
    return this.database.with(InstantOffer, (offers) => offers.findOneBy({ id }));
  }

  /** Call under the application's lock. */
  async insert(tx: Tx, offer: NewInstantOffer): Promise<InstantOffer> {
    return tx.insert(InstantOffer, offer);
  }

  /** Call under the application's lock. */
  async remove(tx: Tx, { id, applicationId, partnerId }: InstantOffer): Promise<void> {
    await tx.repository(InstantOffer).delete({ id, applicationId, partnerId });
  }

  /** By lender code. */
  async list(tx: Tx, { id: applicationId, partnerId }: InstantLoan): Promise<InstantOffer[]> {
    return tx.repository(InstantOffer).find({
      where: { applicationId, partnerId },
      order: { lenderCode: 'ASC' },
    });
  }

  async leading(
    tx: Tx,
    { offerId: id, id: applicationId, partnerId }: ChosenInstantLoan,
  ): Promise<MadeOffer> {
    const offer = await tx
      .repository(InstantOffer)
      .findOneByOrFail({ id, applicationId, partnerId });
    if (!isMade(offer)) throw new Error(`application ${applicationId} has no offer ${id}`);
    return offer;
  }
}
