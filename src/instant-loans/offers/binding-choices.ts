import { Injectable } from '@nestjs/common';
import {
  choosableUntil,
  type Journey,
  JourneyKeyFacts,
  type Offer,
  OffersRepository,
  RecordedChoices,
  ReleasedChoices,
  type Selection,
} from '../../journeys/index.js';
import { type KeyFactsDraft, KeyFactsRepository } from '../../key-facts/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { Clock, type Language, type Tx } from '../../platform/index.js';
import { InstantLenders } from '../use-cases/new-applications.js';

export interface ChoicePlace {
  readonly language: Language;
  readonly order?: OfferOrder;
}

/**
 * The offer binds its lender, which is notified only after the payment. Until then the applicant
 * can choose another offer.
 */
@Injectable()
export class BindingChoices {
  constructor(
    private readonly offers: OffersRepository,
    private readonly lenders: InstantLenders,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly statements: KeyFactsRepository,
    private readonly recorded: RecordedChoices,
    private readonly released: ReleasedChoices,
    private readonly clock: Clock,
  ) {}

  /** Valid offers that can still be paid for. */
  async choosable(tx: Tx, journey: Journey): Promise<Offer[]> {
    const now = this.clock.now();
    const choosable: Offer[] = [];
    for (const offer of await this.offers.listIn(tx, journey)) {
      const isOpen = choosableUntil(journey, offer.validUntil) > now;
      if (isOpen && (await this.lenders.isPayable(offer.lenderCode))) choosable.push(offer);
    }
    return choosable;
  }

  /** The frozen statement's hash, if the offer was chosen before. */
  async keyFactsHash(tx: Tx, journey: Journey, offer: Offer): Promise<string> {
    const frozen = await this.statements.standing(tx, journey.partnerId, offer.id);
    return (frozen ?? (await this.statementOf(journey, offer))).contentHash;
  }

  /** Equal for one offer at any time. */
  private statementOf(journey: Journey, offer: Offer): Promise<KeyFactsDraft> {
    return this.keyFacts.drawUp(journey, offer, selectionOf(offer), offer.createdAt);
  }

  /**
   * Replaces an earlier choice and requests the offer's fee.
   * @param journey locked, its fee not paid
   */
  async choose(tx: Tx, journey: Journey, offer: Offer, place: ChoicePlace): Promise<Journey> {
    const draft = await this.statementOf(journey, offer);
    const choice = { offer, draft, selection: selectionOf(offer), ...place };
    return this.recorded.record(tx, journey, choice);
  }

  /** Closes the payment page; a payment on it is refunded. */
  release(tx: Tx, journey: Journey): Promise<Journey> {
    return this.released.release(tx, journey);
  }
}

/** An instant loan uses the offer's full amount. */
function selectionOf({ principal: loanAmount, figures }: Offer): Selection {
  return { ...figures, loanAmount };
}
