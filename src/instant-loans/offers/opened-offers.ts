import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { isStillAsking, requireChosen } from '../domain/chosen-loan.js';
import { inOrder, OFFERS_REFERENCE, otherTerms, withoutOffers } from '../domain/instant-offer.js';
import { OfferWithdrawals } from '../progress/offer-withdrawals.js';
import {
  type InstantLoanChanges,
  InstantLoansRepository,
} from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantOfferIntake } from './instant-offer-intake.js';
import type { ChosenInstantLoan } from '../store/instant-loan.entity.js';
import type { MadeOffer } from '../store/instant-offer.entity.js';

@Injectable()
export class OpenedOffers {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly intake: InstantOfferIntake,
    private readonly withdrawals: OfferWithdrawals,
  ) {}

  /**
   * The leading offer stays, so that nothing changes under an open page.
   * @param loan locked
   */
  async add(
    tx: Tx,
    loan: ChosenInstantLoan,
    added: readonly MadeOffer[],
    changes: InstantLoanChanges = {},
  ): Promise<ChosenInstantLoan> {
    const shown = [loan.offerId, ...loan.comparison.others.map(({ offerId }) => offerId)];
    const ids = new Set([...shown, ...added.map(({ id }) => id)]);
    const answered = await this.offers.list(tx, loan);
    const compared = inOrder(answered).filter(({ id }) => ids.has(id));
    const comparison = {
      ...loan.comparison,
      others: compared.filter(({ id }) => id !== loan.offerId).map(otherTerms),
      noOffer: withoutOffers(answered, compared),
    };
    const changed = await this.loans.change(tx, loan, loan.status, { ...changes, comparison });
    if (!changed) throw new Error(`application ${loan.id} moved under its lock`);
    return requireChosen(changed);
  }

  /**
   * Stops asking, because an offer is chosen or the wait is over, and notifies lenders without an
   * offer.
   * @param loan locked
   * @returns the same loan when no lender was being asked
   */
  async close(tx: Tx, loan: ChosenInstantLoan): Promise<ChosenInstantLoan> {
    if (!isStillAsking(loan)) return loan;
    const { id } = loan;
    const states = await this.questionOutbox.states(tx, id, 'INSTANT_OFFERS', OFFERS_REFERENCE);
    await this.intake.miss(tx, loan, states);
    await this.questionOutbox.close(tx, [id], ['INSTANT_OFFERS']);
    const closed = await this.add(tx, loan, [], { offersDueAt: null });
    const without = new Set(closed.comparison.noOffer.map(({ code }) => code));
    const asked = states.map(({ lenderCode }) => lenderCode);
    const compared = new Set(asked.filter((code) => !without.has(code)));
    await this.withdrawals.tellLeftOut(tx, closed, compared);
    return closed;
  }
}
