import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import { inOrder } from '../domain/instant-offer.js';
import { isUnpaid } from '../domain/instant-loan-status.js';
import { OfferWithdrawals } from '../progress/offer-withdrawals.js';
import { beginUntil, endWith } from '../domain/pay-times.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import type { MadeOffer } from '../store/instant-offer.entity.js';

@Injectable()
export class StandingOffers {
  constructor(
    private readonly offers: InstantOffersRepository,
    private readonly lenders: InstantLenders,
    private readonly withdrawals: OfferWithdrawals,
  ) {}

  /**
   * The compared offers that are still valid and payable, and whose lenders were not notified of
   * another choice.
   * @returns the best first
   */
  async of(tx: Tx, loan: ChosenInstantLoan, now: Date): Promise<MadeOffer[]> {
    if (!isUnpaid(loan.status)) return [];
    const beside = new Set(loan.comparison.others.map(({ offerId }) => offerId));
    if (beside.size === 0) return [];
    const told = await this.withdrawals.toldNotChosen(tx, loan);
    const offers = await this.toChoose(tx, loan, now);
    return offers.filter(({ id, lenderCode }) => beside.has(id) && !told.has(lenderCode));
  }

  /**
   * Valid offers whose lenders are enabled and can be paid.
   * @returns the best first
   */
  async toChoose(tx: Tx, loan: InstantLoan, now: Date): Promise<MadeOffer[]> {
    const made = inOrder(await this.offers.list(tx, loan));
    return this.lenders.payable(
      made.filter(({ validUntil }) => beginUntil(endWith(loan, validUntil)) > now),
    );
  }
}
