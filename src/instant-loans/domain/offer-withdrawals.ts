import { Injectable } from '@nestjs/common';
import { barePayload, QuestionOutbox, type WithdrawalReason } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { isMade } from './instant-offer.js';
import { INSTANT_PRODUCT } from './instant-loan.js';

interface Told {
  readonly lenderCode: string;
  /** Its own, where it has made an offer. */
  readonly offerReference?: string;
}

/** Tells lenders that nothing comes of what they offer, or might still offer; durably, and why. */
@Injectable()
export class OfferWithdrawals {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: InstantOffersRepository,
  ) {}

  /**
   * Tells those of whom nothing can be chosen: they have not answered, or their offers were refused or passed over.
   * @param compared the codes of the lenders whose offers the applicant may choose from
   */
  async tellLeftOut(tx: Tx, loan: InstantLoan, compared: ReadonlySet<string>): Promise<void> {
    const waiting = await this.waiting(tx, loan);
    const others = waiting.filter(({ lenderCode }) => !compared.has(lenderCode));
    await this.tell(tx, loan, others, 'NOT_CHOSEN');
  }

  /** Tells all but the chosen lender, now that no other can be chosen any more. */
  async tellNotChosen(tx: Tx, loan: InstantLoan): Promise<void> {
    const waiting = await this.untold(tx, loan);
    const others = waiting.filter(({ lenderCode }) => lenderCode !== loan.lenderCode);
    await this.tell(tx, loan, others, 'NOT_CHOSEN');
  }

  /** The lenders that were told that another offer was chosen: none of them is gone back to. */
  async toldNotChosen(tx: Tx, { id }: InstantLoan): Promise<ReadonlySet<string>> {
    const reason: WithdrawalReason = 'NOT_CHOSEN';
    const told = await this.questionOutbox.states(tx, id, 'WITHDRAWAL', reason);
    return new Set(told.map(({ lenderCode }) => lenderCode));
  }

  /** Tells those that made an offer or may still make one, the chosen lender among them, but for whom were told before. */
  async tellOver(tx: Tx, loan: InstantLoan, reason: 'ABANDONED' | 'ENDED'): Promise<void> {
    await this.tell(tx, loan, await this.untold(tx, loan), reason);
  }

  /** Tells a lender that its offer came too late. */
  async tellLate(tx: Tx, loan: InstantLoan, told: Told, answerId: number): Promise<void> {
    const reason = loan.lenderCode !== null ? 'NOT_CHOSEN' : lateReason(loan);
    // It may have been told so before, when it had made no offer yet.
    await this.tell(tx, loan, [told], reason, `LATE:${answerId}`);
  }

  private async untold(tx: Tx, loan: InstantLoan): Promise<Told[]> {
    const told = await this.toldNotChosen(tx, loan);
    return (await this.waiting(tx, loan)).filter(({ lenderCode }) => !told.has(lenderCode));
  }

  private async waiting(tx: Tx, loan: InstantLoan): Promise<Told[]> {
    const answered = await this.offers.list(tx, loan);
    const offered = answered.flatMap((offer): Told[] => {
      const { lenderCode } = offer;
      if (isMade(offer)) return [{ lenderCode, offerReference: offer.offerReference }];
      // It was told of its offers alone, not that nothing more comes of the application.
      return offer.standing === 'OFFER_REFUSED' ? [{ lenderCode }] : [];
    });
    const silent = await this.questionOutbox.unanswered(tx, loan.id, 'INSTANT_OFFERS');
    return [...offered, ...silent.map((lenderCode) => ({ lenderCode }))];
  }

  private async tell(
    tx: Tx,
    { id, partnerId, loanAmount }: InstantLoan,
    lenders: readonly Told[],
    reason: WithdrawalReason,
    reference: string = reason,
  ): Promise<void> {
    if (lenders.length === 0) return;
    await this.questionOutbox.putAll(
      tx,
      lenders.map(({ lenderCode, offerReference }) => ({
        partnerId,
        subjectId: id,
        lenderCode,
        kind: 'WITHDRAWAL',
        reference,
        payload: barePayload({
          subjectKind: 'INSTANT_LOAN',
          applicationId: id,
          productCode: INSTANT_PRODUCT,
          loanAmount,
          offerReference,
          withdrawal: { reason },
        }),
      })),
    );
  }
}

function lateReason({ status }: InstantLoan): WithdrawalReason {
  return status === 'EXPIRED' ? 'ABANDONED' : 'ENDED';
}
