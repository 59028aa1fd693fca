import { Injectable } from '@nestjs/common';
import { barePayload, QuestionOutbox, type WithdrawalReason } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { isMade } from '../domain/instant-offer.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';

interface Told {
  readonly lenderCode: string;
  readonly offerReference?: string;
}

/** Notifies lenders, durably and with a reason, that their offers are not taken. */
@Injectable()
export class OfferWithdrawals {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: InstantOffersRepository,
  ) {}

  /** @param compared codes of the lenders whose offers can be chosen */
  async tellLeftOut(tx: Tx, loan: InstantLoan, compared: ReadonlySet<string>): Promise<void> {
    const waiting = await this.waiting(tx, loan);
    const others = waiting.filter(({ lenderCode }) => !compared.has(lenderCode));
    await this.tell(tx, loan, others, 'NOT_CHOSEN');
  }

  /** Once no other offer can be chosen. */
  async tellNotChosen(tx: Tx, loan: InstantLoan): Promise<void> {
    const waiting = await this.untold(tx, loan);
    const others = waiting.filter(({ lenderCode }) => lenderCode !== loan.lenderCode);
    await this.tell(tx, loan, others, 'NOT_CHOSEN');
  }

  /** Lenders notified that another offer was chosen: their offers are final. */
  async toldNotChosen(tx: Tx, { id }: InstantLoan): Promise<ReadonlySet<string>> {
    const reason: WithdrawalReason = 'NOT_CHOSEN';
    const told = await this.questionOutbox.states(tx, id, 'WITHDRAWAL', reason);
    return new Set(told.map(({ lenderCode }) => lenderCode));
  }

  /** Except lenders notified before. */
  async tellOver(tx: Tx, loan: InstantLoan, reason: 'ABANDONED' | 'ENDED'): Promise<void> {
    await this.tell(tx, loan, await this.untold(tx, loan), reason);
  }

  async tellLate(tx: Tx, loan: InstantLoan, told: Told, answerId: number): Promise<void> {
    const reason = loan.lenderCode !== null ? 'NOT_CHOSEN' : lateReason(loan);
    // It may have been notified before it made an offer.
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
      // It was notified about its offers only, not the application.
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
