import { Injectable } from '@nestjs/common';
import { type Paise, rupeesToPaise } from '../../loans/index.js';
import {
  Clock,
  Database,
  Fault,
  type Language,
  type Tx,
  validationFault,
} from '../../platform/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { NO_CHOICE, withoutChoice } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { type Intent, IntentsRepository } from '../store/intents.repository.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { redirectStepOf } from '../domain/journey-state.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { LenderWithdrawals } from '../domain/lender-withdrawals.js';
import { Acknowledgements } from '../offers/acknowledgements.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import type { Offer } from '../store/offer.entity.js';
import { isStillAsking } from '../offers/ended-rounds.js';
import { OfferRound } from '../offers/offer-round.js';
import { assertInRange, OfferQuotes } from '../offers/offer-quotes.js';
import { ShownComparisons } from '../offers/shown-comparisons.js';
import { WaysBack } from '../offers/ways-back.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { ActionHandler, ActionOutcome, PreparedAction } from './action-handler.js';
import { type Choice, LenderChoices, type TakenChoice } from './lender-choices.js';
import { OfferGone } from './offer-gone.js';
import { OperatorFlags } from '../../operator-flags/index.js';

/** The statement that the applicant has read: its hash, and the time that stands in it. */
export interface ShownKeyFacts {
  readonly hash: string;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** The language that it was shown in. */
  readonly language: Language;
  /** The order of the offers that it was chosen from; left out: by APR. */
  readonly order?: OfferOrder;
}

/** A choice in place of which another offer is to be chosen. */
interface EarlierChoice {
  readonly offerId: string;
  /** The session of which its lender has said that nothing is signed in it; null: there was none. */
  readonly unsigned: string | null;
}

/** What is stored of a choice until it is carried out. */
export interface OfferIntent {
  readonly offerId: string;
  /** In rupees; left out: the offer's principal. */
  readonly loanAmount?: number;
  /** Left out: a partner's program chooses. */
  readonly shownKeyFacts?: ShownKeyFacts;
  readonly insteadOf?: EarlierChoice;
  /** Added by `IntentsRepository` once the lender may have been told of it. */
  readonly told?: Omit<Choice, 'offer'>;
}

/** A choice that is to be recorded. */
interface RecordedChoice extends Choice, TakenChoice {
  readonly chosenAt: Date;
}

/**
 * Chooses an offer: its lender quotes again for the chosen amount, is told of the choice and takes it,
 * and the KFS is frozen.
 */
@Injectable()
export class SelectOfferHandler implements ActionHandler<OfferIntent> {
  readonly kind = 'SELECT_OFFER';
  readonly state = 'OFFERS_RECEIVED';

  constructor(
    private readonly offers: OffersRepository,
    private readonly quotes: OfferQuotes,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly acknowledgements: Acknowledgements,
    private readonly database: Database,
    private readonly waysBack: WaysBack,
    private readonly redirects: RedirectsRepository,
    private readonly returns: RedirectReturnedService,
    private readonly intents: IntentsRepository,
    private readonly choices: LenderChoices,
    private readonly round: OfferRound,
    private readonly comparisons: ShownComparisons,
    private readonly withdrawals: LenderWithdrawals,
    private readonly journeys: JourneysRepository,
    private readonly mover: JourneyMover,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /** On the hosted screens another offer can be chosen until the agreement is signed. */
  async isOpenElsewhere(tx: Tx, journey: Journey, { insteadOf }: OfferIntent): Promise<boolean> {
    if (insteadOf === undefined || insteadOf.offerId !== journey.selectedOfferId) return false;
    const wayBack = await this.waysBack.of(tx, journey, insteadOf.unsigned);
    // The offer may have run out since its lender took the choice: that does not speak against it.
    return wayBack === 'OPEN' || wayBack === 'NONE_LEFT';
  }

  /** That nothing is signed was said before the choice: the applicant may have signed since. */
  async beforeTakenUp(journey: Journey, { insteadOf }: OfferIntent): Promise<void> {
    const step = redirectStepOf(journey.state);
    if (step === null || typeof insteadOf?.unsigned !== 'string') return;
    await this.returns.returned(journey, step, true);
  }

  async prepare(seen: Journey, payload: OfferIntent): Promise<PreparedAction> {
    const offer = await this.offers.findInRound(seen, payload.offerId);
    if (!offer) {
      throw validationFault([
        { field: 'payload.offerId', message: 'must be the offerId of one of the journey’s offers' },
      ]);
    }
    const { told } = payload;
    const { lenderCode } = offer;
    // What was agreed with another lender is none of this one's business.
    const journey = withoutChoice(seen);
    // The lender may have taken it: nothing that has changed since speaks against it.
    if (told) {
      return { lenderCode, call: (intent) => this.put(journey, { offer, ...told }, intent) };
    }
    const principal =
      payload.loanAmount === undefined ? offer.principal : rupeesToPaise(payload.loanAmount);
    if (this.hasRunOut(offer) || !(await this.isLeft(seen, offer))) {
      throw new Fault('offer_expired');
    }
    assertInRange(offer, principal, 'payload.loanAmount');
    return {
      lenderCode,
      call: (intent) => this.call(journey, offer, principal, payload, intent),
    };
  }

  /** The offer cannot be chosen again: its lender would take one choice for the other. */
  async undo(tx: Tx, journey: Journey, { id, payload }: Intent): Promise<void> {
    const offer = await this.offers.find(tx, journey, (payload as OfferIntent).offerId);
    if (!offer) return;
    await this.withdrawals.tellVoid(tx, journey, offer, id);
    await this.offers.expire(tx, offer);
    // While lenders are still asked, their deadline is next.
    if (journey.state !== this.state || isStillAsking(journey)) return;
    const offersDueAt = (await this.offers.roundsOf(tx, [journey])).get(journey.id)?.lastValidUntil;
    await this.journeys.change(tx, journey, journey.state, { offersDueAt });
  }

  private async call(
    journey: Journey,
    offer: Offer,
    principal: Paise,
    payload: OfferIntent,
    intent: Intent,
  ): Promise<ActionOutcome> {
    const { shownKeyFacts: shown } = payload;
    const quoted = await this.quotes.quote(journey, offer, principal);
    // The offer may have run out while its lender was quoting.
    if (quoted === 'GONE' || this.hasRunOut(offer)) return refused(new Fault('offer_expired'));
    if (quoted === 'DIFFERS') return { record: (tx, now) => this.refuse(tx, now, offer) };
    const issuedAt = shown === undefined ? this.clock.now() : this.issueTime(offer, shown);
    const draft = issuedAt && (await this.keyFacts.drawUp(journey, offer, quoted, issuedAt));
    // Nobody is bound by a statement other than the one that they have read.
    if (!draft || (shown && draft.contentHash !== shown.hash)) {
      return refused(new Fault('key_facts_changed'));
    }
    const told = {
      quoted,
      draft,
      ...(shown && { language: shown.language, order: shown.order }),
    };
    // What follows binds the lender: who comes after us must be able to ask for the very same.
    await this.intents.keepTold(intent, told);
    return this.put(journey, { offer, ...told }, intent);
  }

  private async put(journey: Journey, choice: Choice, intent: Intent): Promise<ActionOutcome> {
    const taken = await this.choices.put(journey, choice, intent);
    if ('reason' in taken) return refused(new OfferGone(taken.reason));
    return {
      isBinding: true,
      record: (tx, now) =>
        this.record(tx, now, { ...choice, ...taken, chosenAt: intent.createdAt }),
    };
  }

  /** In place of a choice: whether the offer's lender was not told that another one was chosen. */
  private async isLeft(journey: Journey, { id }: Offer): Promise<boolean> {
    if (journey.selectedOfferId === null) return true;
    const others = await this.database.transaction((tx) => this.waysBack.others(tx, journey));
    return others.some((other) => other.id === id);
  }

  private async record(
    tx: Tx,
    journey: Journey,
    { offer, draft, language, order, selection, keyFactsSignature, chosenAt: at }: RecordedChoice,
  ): Promise<null> {
    await this.keyFacts.freeze(tx, journey, offer, draft, keyFactsSignature);
    const free = journey.selectedOfferId === null ? journey : await this.letGo(tx, journey, offer);
    const changes = {
      ...(await this.round.close(tx, free)),
      selectedOfferId: offer.id,
      selection,
      offersDueAt: null,
    };
    const moved = await this.mover.move(tx, free, 'OFFER_SELECTED', changes);
    if (language) {
      // The choice was made on the page of the statement, and by the same word.
      const given = { hash: draft.contentHash, language, by: 'CONFIRMATION', at } as const;
      await this.acknowledgements.record(tx, moved, offer.id, given);
    }
    await this.comparisons.chosen(tx, moved, offer, selection, { language, order });
    await this.choices.noteReference(tx, moved, offer);
    // On the hosted screens another offer can still be chosen: the others are told once it no longer can.
    if (moved.channel !== 'API_HOSTED') await this.withdrawals.tellNotChosen(tx, moved, offer);
    return null;
  }

  /**
   * Undoes the choice that `next` takes the place of, with all that has come of it. Its offer cannot be chosen
   * again; of the same lender, which knows that the last choice counts, another one can.
   */
  private async letGo(tx: Tx, journey: Journey, next: Offer): Promise<Journey> {
    const chosen = await this.offers.selected(tx, journey);
    const free = await this.mover.move(tx, journey, 'OFFER_LET_GO', NO_CHOICE);
    await this.redirects.letGo(tx, journey);
    await this.offers.expire(tx, chosen);
    if (chosen.lenderCode !== next.lenderCode) {
      await this.withdrawals.tellLetGo(tx, journey, chosen);
    }
    return free;
  }

  /** What was offered is not what its lender quotes; another try may meet the same, and is no news. */
  private async refuse(tx: Tx, journey: Journey, offer: Offer): Promise<Fault> {
    const { partnerId, id: subjectId } = journey;
    const { lenderCode, id: offerId } = offer;
    const reason = 'QUOTE_DIFFERS';
    await this.flags.raise(tx, {
      partnerId,
      subjectId,
      kind: 'OFFER_REFUSED',
      cause: [lenderCode, reason, offerId],
      detail: { lenderCode, offerId, reason },
    });
    return new Fault('offer_expired');
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

function refused(fault: Fault): ActionOutcome {
  return { record: () => Promise.resolve(fault) };
}
