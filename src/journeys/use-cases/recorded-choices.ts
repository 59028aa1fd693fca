import { Injectable } from '@nestjs/common';
import { type KeyFactsDraft, KeyFactsRepository } from '../../key-facts/index.js';
import type { OfferOrder } from '../../matching/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { isInstant, type Selection } from '../domain/journey.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { OfferRound } from '../offers/offer-round.js';
import { ShownComparisons } from '../offers/shown-comparisons.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { ReleasedChoices } from './released-choices.js';

interface MadeChoice {
  readonly offer: Offer;
  readonly selection: Selection;
  readonly draft: KeyFactsDraft;
  readonly keyFactsSignature?: string;
  /** Of our page; absent: a partner's program chooses. */
  readonly language?: Language;
  readonly order?: OfferOrder;
  readonly agreedAt?: Date;
}

/** Replaces an earlier choice, freezes the statement and begins the next step. */
@Injectable()
export class RecordedChoices {
  constructor(
    private readonly statements: KeyFactsRepository,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly released: ReleasedChoices,
    private readonly round: OfferRound,
    private readonly mover: JourneyMover,
    private readonly acknowledgements: Acknowledgements,
    private readonly comparisons: ShownComparisons,
    private readonly withdrawals: LenderWithdrawals,
  ) {}

  /** @param journey locked */
  async record(tx: Tx, journey: Journey, choice: MadeChoice): Promise<Journey> {
    const { offer, selection, language, order } = choice;
    await this.freeze(tx, journey, choice);
    const free = await this.releaseEarlier(tx, journey, offer);
    const moved = await this.mover.move(tx, free, 'OFFER_SELECTED', {
      ...(await this.round.close(tx, free)),
      selectedOfferId: offer.id,
      selection,
      offersDueAt: null,
    });
    await this.agree(tx, moved, choice);
    await this.comparisons.chosen(tx, moved, offer, selection, { language, order });
    // On our pages the choice may still change: the others are notified when it no longer can.
    if (moved.channel !== 'API_HOSTED') await this.withdrawals.notifyNotChosen(tx, moved, offer);
    return moved;
  }

  /** An instant loan's offer can be chosen again: its statement is the same. */
  private async freeze(
    tx: Tx,
    journey: Journey,
    { offer, draft, keyFactsSignature }: MadeChoice,
  ): Promise<void> {
    const known = await this.statements.standing(tx, journey.partnerId, offer.id);
    if (!known) await this.keyFacts.freeze(tx, journey, offer, draft, keyFactsSignature);
  }

  /** No lender of an instant loan knows of a choice before the payment. */
  private releaseEarlier(tx: Tx, journey: Journey, next: Offer): Promise<Journey> | Journey {
    if (journey.selectedOfferId === null) return journey;
    return isInstant(journey)
      ? this.released.release(tx, journey, true)
      : this.released.replace(tx, journey, next);
  }

  private async agree(
    tx: Tx,
    journey: Journey,
    { offer, draft, language, agreedAt: at }: MadeChoice,
  ): Promise<void> {
    if (!language || !at) return;
    const given = { hash: draft.contentHash, language, by: 'CONFIRMATION', at } as const;
    await this.acknowledgements.record(tx, journey, offer.id, given);
  }
}
