import { Injectable } from '@nestjs/common';
import { barePayload, QuestionOutbox, type WithdrawalReason } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import type { Tx } from '../../platform/index.js';
import { subjectKindOf } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { type LenderOffers, OffersRepository } from '../store/offers.repository.js';

/** A lender learns only its own references. */
type Told = LenderOffers & {
  readonly applicationReference?: string;
  readonly loanAmount?: Paise;
};

/** Tells lenders durably that a journey goes no further with them, and why. */
@Injectable()
export class LenderWithdrawals {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: OffersRepository,
  ) {}

  /** Also tells lenders that may still make an offer. */
  async tellNotChosen(tx: Tx, journey: Journey, chosen: Offer): Promise<void> {
    const waiting = await this.waiting(tx, journey);
    const others = waiting.filter(({ lenderCode }) => lenderCode !== chosen.lenderCode);
    await this.tell(tx, journey, others, 'NOT_CHOSEN');
  }

  /**
   * Tells the lender of a choice that was replaced.
   * @param journey with that choice
   */
  async tellLetGo(tx: Tx, journey: Journey, { lenderCode }: Offer): Promise<void> {
    const offered = await this.offers.lendersOf(tx, journey);
    const lender = offered.find((one) => one.lenderCode === lenderCode);
    if (lender) await this.tell(tx, journey, [{ ...lender, ...chosenOf(journey) }], 'NOT_CHOSEN');
  }

  /** The lenders told so; none of them can be chosen again. */
  async toldNotChosen(tx: Tx, { id: subjectId }: Journey): Promise<ReadonlySet<string>> {
    const about = [{ subjectId, reference: 'NOT_CHOSEN' satisfies WithdrawalReason }];
    const told = await this.questionOutbox.statesOf(tx, 'WITHDRAWAL', about);
    return new Set(told.get(subjectId)?.map(({ lenderCode }) => lenderCode));
  }

  /** Skips lenders told before. */
  async tellOver(tx: Tx, journey: Journey, reason: 'ABANDONED' | 'ENDED'): Promise<void> {
    const waiting = await this.waiting(tx, journey);
    if (journey.selectedOfferId === null) {
      await this.tell(tx, journey, waiting, reason);
      return;
    }
    const { lenderCode, lenderReference } = await this.offers.selected(tx, journey);
    const told = await this.toldNotChosen(tx, journey);
    const others = waiting.filter(
      (one) => one.lenderCode !== lenderCode && !told.has(one.lenderCode),
    );
    const chosen = { lenderCode, onlyReference: lenderReference, ...chosenOf(journey) };
    await this.tell(tx, journey, [chosen, ...others], reason);
  }

  /** Notifies every lender that knows of the applicant, also after an earlier notice. */
  async tellConsentWithdrawn(tx: Tx, journey: Journey): Promise<void> {
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
    await this.tell(tx, journey, lenders, 'CONSENT_WITHDRAWN');
  }

  /**
   * Tells a lender that may have accepted the choice.
   * @param intentId the choice's: one lender may be told several times
   */
  async tellVoid(tx: Tx, journey: Journey, offer: Offer, intentId: string): Promise<void> {
    const { lenderCode, lenderReference } = offer;
    const lender = { lenderCode, onlyReference: lenderReference };
    await this.tell(tx, journey, [lender], 'NOT_CHOSEN', intentId);
  }

  private async waiting(tx: Tx, journey: Journey): Promise<LenderOffers[]> {
    const offered = await this.offers.lendersOf(tx, journey);
    const silent = await this.questionOutbox.unanswered(tx, journey.id, 'OFFERS');
    const known = new Set(offered.map(({ lenderCode }) => lenderCode));
    const others = silent.filter((lenderCode) => !known.has(lenderCode));
    return [...offered, ...others.map((lenderCode) => ({ lenderCode, onlyReference: null }))];
  }

  private async tell(
    tx: Tx,
    journey: Journey,
    lenders: readonly Told[],
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

function chosenOf({ selection }: Journey): Pick<Told, 'applicationReference' | 'loanAmount'> {
  const { applicationReference, loanAmount } = selection ?? {};
  return { applicationReference, loanAmount };
}
