import { Injectable } from '@nestjs/common';
import { barePayload, QuestionOutbox, type WithdrawalReason } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import type { Tx } from '../../platform/index.js';
import { subjectKindOf } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { type LenderOffers, OffersRepository } from '../store/offers.repository.js';

/** A lender receives only its own references. */
type NotifiedLender = LenderOffers & {
  readonly applicationReference?: string;
  readonly loanAmount?: Paise;
};

@Injectable()
export class LenderWithdrawals {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: OffersRepository,
  ) {}

  /** Includes lenders that may still make an offer. */
  async notifyNotChosen(tx: Tx, journey: Journey, chosen: Offer): Promise<void> {
    const waiting = await this.waiting(tx, journey);
    const others = waiting.filter(({ lenderCode }) => lenderCode !== chosen.lenderCode);
    await this.notify(tx, journey, others, 'NOT_CHOSEN');
  }

  /** @param journey with the choice that was replaced */
  async notifyReplaced(tx: Tx, journey: Journey, { lenderCode }: Offer): Promise<void> {
    const offered = await this.offers.lendersOf(tx, journey);
    const lender = offered.find((one) => one.lenderCode === lenderCode);
    if (lender) await this.notify(tx, journey, [{ ...lender, ...chosenOf(journey) }], 'NOT_CHOSEN');
  }

  /** Their offers cannot be chosen again. */
  async notifiedNotChosen(tx: Tx, { id: subjectId }: Journey): Promise<ReadonlySet<string>> {
    const about = [{ subjectId, reference: 'NOT_CHOSEN' satisfies WithdrawalReason }];
    const notified = await this.questionOutbox.statesOf(tx, 'WITHDRAWAL', about);
    return new Set(notified.get(subjectId)?.map(({ lenderCode }) => lenderCode));
  }

  /** Skips lenders notified before. */
  async notifyEnded(tx: Tx, journey: Journey, reason: 'ABANDONED' | 'ENDED'): Promise<void> {
    const waiting = await this.waiting(tx, journey);
    if (journey.selectedOfferId === null) {
      await this.notify(tx, journey, waiting, reason);
      return;
    }
    const { lenderCode, lenderReference } = await this.offers.selected(tx, journey);
    const notified = await this.notifiedNotChosen(tx, journey);
    const others = waiting.filter(
      (one) => one.lenderCode !== lenderCode && !notified.has(one.lenderCode),
    );
    const chosen = { lenderCode, onlyReference: lenderReference, ...chosenOf(journey) };
    await this.notify(tx, journey, [chosen, ...others], reason);
  }

  /** Notifies every lender that knows the applicant, even after an earlier notice. */
  async notifyConsentWithdrawn(tx: Tx, journey: Journey): Promise<void> {
    const codes = await this.questionOutbox.lendersAsked(tx, journey.partnerId, journey.id);
    const offered = new Map(
      (await this.offers.lendersOf(tx, journey)).map((one) => [one.lenderCode, one]),
    );
    const chosen = journey.selectedOfferId && (await this.offers.selected(tx, journey));
    const lenders = codes.map((lenderCode) => ({
      lenderCode,
      onlyReference: offered.get(lenderCode)?.onlyReference ?? null,
      ...(chosen && chosen.lenderCode === lenderCode && chosenOf(journey)),
    }));
    await this.notify(tx, journey, lenders, 'CONSENT_WITHDRAWN');
  }

  /**
   * For a lender that may have accepted the choice.
   * @param intentId makes the notice distinct: a lender may receive several
   */
  async notifyVoided(tx: Tx, journey: Journey, offer: Offer, intentId: string): Promise<void> {
    const { lenderCode, lenderReference } = offer;
    const lender = { lenderCode, onlyReference: lenderReference };
    await this.notify(tx, journey, [lender], 'NOT_CHOSEN', intentId);
  }

  private async waiting(tx: Tx, journey: Journey): Promise<LenderOffers[]> {
    const offered = await this.offers.lendersOf(tx, journey);
    const silent = await this.questionOutbox.unanswered(tx, journey.id, 'OFFERS');
    const known = new Set(offered.map(({ lenderCode }) => lenderCode));
    const others = silent.filter((lenderCode) => !known.has(lenderCode));
    return [...offered, ...others.map((lenderCode) => ({ lenderCode, onlyReference: null }))];
  }

  private async notify(
    tx: Tx,
    journey: Journey,
    lenders: readonly NotifiedLender[],
    reason: WithdrawalReason,
    reference: string = reason,
  ): Promise<void> {
    if (lenders.length === 0) return;
    await this.questionOutbox.putAll(
      tx,
      lenders.map(({ lenderCode, onlyReference, applicationReference, loanAmount }) => ({
        partnerId: journey.partnerId,
        subjectId: journey.id,
        lenderCode,
        kind: 'WITHDRAWAL',
        reference,
        payload: barePayload({
          subjectKind: subjectKindOf(journey),
          applicationId: journey.applicationId,
          productCode: journey.productCode,
          loanAmount: loanAmount ?? journey.loanAmount,
          offerReference: onlyReference ?? undefined,
          applicationReference,
          withdrawal: { reason },
        }),
      })),
    );
  }
}

function chosenOf({
  selection,
}: Journey): Pick<NotifiedLender, 'applicationReference' | 'loanAmount'> {
  const { applicationReference, loanAmount } = selection ?? {};
  return { applicationReference, loanAmount };
}
