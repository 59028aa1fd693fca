import { Injectable } from '@nestjs/common';
import {
  Acknowledgements,
  HostedChoices,
  type Journey,
  JourneysRepository,
} from '../../journeys/index.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import { Database, type Language, type Tx } from '../../platform/index.js';
import { FeePayments } from '../fee/fee-payments.js';
import { BindingChoices, type ChoicePlace } from '../offers/binding-choices.js';

export interface PaymentPress {
  readonly hasRead: boolean;
  /** Of the statement on the page. */
  readonly keyFactsHash: string;
  readonly language: Language;
}

/** `GONE`: the offer cannot be chosen. `NO_CHOICE`: the fee is paid, or the application is over. */
export type OfferPress = 'CHOSEN' | 'GONE' | 'NO_CHOICE';

/** See `PaymentVisit`. */
type Refused = 'NOTHING_TO_PAY' | 'UNAGREED' | 'OTHER_CHOICE';

/** Each action holds the journey's lock, so that a double press acts once. */
@Injectable()
export class PayPresses {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly hosted: HostedChoices,
    private readonly choices: BindingChoices,
    private readonly statements: KeyFactsRepository,
    private readonly acknowledgements: Acknowledgements,
    private readonly fees: FeePayments,
  ) {}

  openOffers({ partnerId, id: journeyId }: Journey): Promise<boolean> {
    return this.hosted.openOffers({ partnerId, journeyId });
  }

  choose(found: Journey, offerId: string, place: ChoicePlace): Promise<OfferPress> {
    return this.database.transaction(async (tx) => {
      const journey = await this.lockUnpaid(tx, found);
      if (!journey) return 'NO_CHOICE';
      if (journey.selectedOfferId === offerId) return 'CHOSEN';
      const choosable = await this.choices.choosable(tx, journey);
      const offer = choosable.find(({ id }) => id === offerId);
      if (!offer) return 'GONE';
      await this.choices.choose(tx, journey, offer, place);
      return 'CHOSEN';
    });
  }

  /** @returns the journey, in FEE_PENDING */
  agree(found: Journey, press: PaymentPress): Promise<Journey | Refused> {
    return this.database.transaction(async (tx) => {
      const journey = await this.lockUnpaid(tx, found);
      if (!journey) return 'NOTHING_TO_PAY';
      return journey.selectedOfferId === null
        ? this.agreeToOnly(tx, journey, press)
        : this.agreeToChosen(tx, journey, journey.selectedOfferId, press);
    });
  }

  /** With one available offer there is nothing to choose. */
  private async agreeToOnly(
    tx: Tx,
    journey: Journey,
    { hasRead, keyFactsHash, language }: PaymentPress,
  ): Promise<Journey | Refused> {
    const [only, ...others] = await this.choices.choosable(tx, journey);
    if (!only) return 'NOTHING_TO_PAY';
    const shown = await this.choices.keyFactsHash(tx, journey, only);
    if (others.length > 0 || shown !== keyFactsHash) return 'OTHER_CHOICE';
    if (!hasRead) return 'UNAGREED';
    const chosen = await this.choices.choose(tx, journey, only, { language });
    return this.acknowledge(tx, chosen, only.id, { keyFactsHash, language });
  }

  private async agreeToChosen(
    tx: Tx,
    journey: Journey,
    offerId: string,
    { hasRead, keyFactsHash, language }: PaymentPress,
  ): Promise<Journey | Refused> {
    const standing = await this.statements.standing(tx, journey.partnerId, offerId);
    if (standing?.contentHash !== keyFactsHash) return 'OTHER_CHOICE';
    const choosable = await this.choices.choosable(tx, journey);
    const isLeft = choosable.some(({ id }) => id === offerId);
    if (!isLeft && !(await this.fees.isOrdered(tx, journey))) {
      if (choosable.length === 0) return 'NOTHING_TO_PAY';
      await this.choices.release(tx, journey);
      return 'OTHER_CHOICE';
    }
    if (!hasRead && !standing.acknowledgement) return 'UNAGREED';
    return this.acknowledge(tx, journey, offerId, { keyFactsHash, language });
  }

  private async acknowledge(
    tx: Tx,
    journey: Journey,
    offerId: string,
    { keyFactsHash: hash, language }: Omit<PaymentPress, 'hasRead'>,
  ): Promise<Journey> {
    const given = { hash, language, by: 'CONFIRMATION' } as const;
    await this.acknowledgements.record(tx, journey, offerId, given);
    return journey;
  }

  /** Null once the fee is paid, or the journey is over. */
  private async lockUnpaid(tx: Tx, { partnerId, id }: Journey): Promise<Journey | null> {
    const journey = await this.journeys.lock(tx, partnerId, id);
    const isUnpaid = journey?.state === 'OFFERS_RECEIVED' || journey?.state === 'FEE_PENDING';
    return isUnpaid ? journey : null;
  }
}
