import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { InstantLoan } from './instant-loan.entity.js';
import { InstantOffer } from './instant-offer.entity.js';

type OfAnOffer = 'reason' | 'offerReference' | 'quote' | 'terms' | 'feeOnDecline' | 'validUntil';

export type NewInstantOffer = Omit<InstantOffer, OfAnOffer | 'recordedAt'> &
  Partial<Pick<InstantOffer, OfAnOffer>>;

@Injectable()
export class InstantOffersRepository {
  /** To be called under the application's lock: of each lender there is one. */
  async insert(tx: Tx, offer: NewInstantOffer): Promise<InstantOffer> {
    return tx.insert(InstantOffer, offer);
  }

  /** What the lenders of an application have answered so far, in the order of their codes. */
  async list(tx: Tx, { id: applicationId, partnerId }: InstantLoan): Promise<InstantOffer[]> {
    return tx.repository(InstantOffer).find({
      where: { applicationId, partnerId },
      order: { lenderCode: 'ASC' },
    });
  }

  /** What the lender calls the offer that was chosen; null where none was. */
  async referenceOf(tx: Tx, { offerId, id, partnerId }: InstantLoan): Promise<string | null> {
    if (offerId === null) return null;
    const chosen = { id: offerId, applicationId: id, partnerId };
    return (await tx.repository(InstantOffer).findOneByOrFail(chosen)).offerReference;
  }
}
