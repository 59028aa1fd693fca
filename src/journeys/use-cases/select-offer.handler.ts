import { Injectable } from '@nestjs/common';
import { rupeesToPaise } from '../../loans/index.js';
import {
  Clock,
  Fault,
  RupeesField,
  TextField,
  type Tx,
  validationFault,
} from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import type { Offer } from '../store/offer.entity.js';
import { assertInRange, OfferQuotes, type QuotedSelection } from '../offers/offer-quotes.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { ActionHandler, ActionOutcome, PreparedAction } from './action-handler.js';
import { OperatorFlags } from '../../operator-flags/index.js';

/** The statement that the applicant has read: its hash, and the time that stands in it. */
export interface ShownKeyFacts {
  readonly hash: string;
  /** ISO 8601. */
  readonly issuedAt: string;
}

export class SelectOfferPayload {
  @TextField({
    about: 'One of the journey’s offers.',
    example: 'off_01a1fcf153ae76b2be3e2ab68ffc4d07',
  })
  offerId: string;

  /** In rupees; the offer's whole principal when left out. */
  @RupeesField({
    optional: true,
    about:
      'In rupees, from the offer’s minimumLoanAmount to its principalAmount, which is taken when left out.',
    example: 150_000,
  })
  loanAmount?: number;

  /** Of our own screens alone: it has no rule, so what a partner sends under this name is dropped. */
  shownKeyFacts?: ShownKeyFacts;
}

/** Chooses an offer: its lender quotes again for the chosen amount, and the KFS is frozen. */
@Injectable()
export class SelectOfferHandler implements ActionHandler<SelectOfferPayload> {
  readonly kind = 'SELECT_OFFER';
  readonly state = 'OFFERS_RECEIVED';
  readonly shape = SelectOfferPayload;

  constructor(
    private readonly offers: OffersRepository,
    private readonly quotes: OfferQuotes,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly mover: JourneyMover,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  async prepare(journey: Journey, payload: SelectOfferPayload): Promise<PreparedAction> {
    const offer = await this.offers.findInRound(journey, payload.offerId);
    if (!offer) {
      throw validationFault([
        { field: 'payload.offerId', message: 'must be the offerId of one of the journey’s offers' },
      ]);
    }
    const principal =
      payload.loanAmount === undefined ? offer.principal : rupeesToPaise(payload.loanAmount);
    if (this.hasRunOut(offer)) throw new Fault('offer_expired');
    assertInRange(offer, principal, 'payload.loanAmount');
    const { shownKeyFacts } = payload;
    return {
      call: async (intentId): Promise<ActionOutcome> => {
        const quoted = await this.quotes.quote(journey, offer, principal, intentId);
        return { record: (tx, now) => this.record(tx, now, offer, quoted, shownKeyFacts) };
      },
    };
  }

  private async record(
    tx: Tx,
    journey: Journey,
    offer: Offer,
    quoted: QuotedSelection,
    shown: ShownKeyFacts | undefined,
  ): Promise<Fault | null> {
    // The offer may have run out while its lender was quoting.
    if (quoted === 'GONE' || this.hasRunOut(offer)) return new Fault('offer_expired');
    if (quoted === 'DIFFERS') {
      await this.flags.raise(tx, {
        partnerId: journey.partnerId,
        subjectId: journey.id,
        kind: 'OFFER_REFUSED',
        detail: { lenderCode: offer.lenderCode, offerId: offer.id, reason: 'QUOTE_DIFFERS' },
      });
      // What was offered is no longer to be had: another try would meet the same.
      return new Fault('offer_expired');
    }
    const issuedAt = shown === undefined ? this.clock.now() : this.issueTime(offer, shown);
    const draft = issuedAt && (await this.keyFacts.drawUp(journey, offer, quoted, issuedAt));
    // Nobody is bound by a statement other than the one that they have read.
    if (!draft || (shown && draft.contentHash !== shown.hash))
      return new Fault('key_facts_changed');
    await this.keyFacts.freeze(tx, journey, offer, draft);
    await this.mover.move(tx, journey, 'OFFER_SELECTED', {
      selectedOfferId: offer.id,
      selection: quoted,
      offersDueAt: null,
    });
    return null;
  }

  /** The time in the statement that was shown; null when it was not shown since the offer came. */
  private issueTime(offer: Offer, { issuedAt }: ShownKeyFacts): Date | null {
    const time = new Date(issuedAt);
    return time >= offer.createdAt && time <= this.clock.now() ? time : null;
  }

  private hasRunOut(offer: Offer): boolean {
    return offer.validUntil <= this.clock.now();
  }
}
