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
import { JourneyMover } from '../progress/journey-mover.js';
import { redirectStepOf } from '../domain/journey-state.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
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

/** The statement that the applicant has read. */
export interface ShownKeyFacts {
  readonly hash: string;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly language: Language;
  /** The order of the offers that it was chosen from; left out: by APR. */
  readonly order?: OfferOrder;
}

/** The choice that a new one replaces. */
interface EarlierChoice {
  readonly offerId: string;
  /** The session of which its lender said that nothing is signed; null: there was none. */
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
  /** Added by `IntentsRepository` once the lender may know of it: a repetition sends the same. */
  readonly told?: Omit<Choice, 'offer'>;
}

interface RecordedChoice extends Choice, TakenChoice {
  readonly chosenAt: Date;
}

/** Chooses an offer: its lender quotes for the amount and takes the choice, and the KFS is frozen. */
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

  /** On the hosted screens the choice can be changed until the signature. */
  async isOpenElsewhere(tx: Tx, journey: Journey, { insteadOf }: OfferIntent): Promise<boolean> {
    if (insteadOf === undefined || insteadOf.offerId !== journey.selectedOfferId) return false;
    const wayBack = await this.waysBack.of(tx, journey, insteadOf.unsigned);
    // Also when the offer has expired since its lender took the choice.
    return wayBack === 'OPEN' || wayBack === 'NONE_LEFT';
  }

  /** The applicant may have signed since the lender said that nothing is signed. */
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
    // The agreement with another lender does not concern this one.
    const journey = withoutChoice(seen);
    // The lender may have taken it: later changes do not matter.
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

  /** The offer is not offered again: its lender would mistake one choice for the other. */
  async undo(tx: Tx, journey: Journey, { id, payload }: Intent): Promise<void> {
    const offer = await this.offers.find(tx, journey, (payload as OfferIntent).offerId);
    if (!offer) return;
    await this.withdrawals.tellVoid(tx, journey, offer, id);
    await this.offers.expire(tx, offer);
    // While lenders are asked, their deadline is next.
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
    // It may have expired while its lender was quoting.
    if (quoted === 'GONE' || this.hasRunOut(offer)) return refused(new Fault('offer_expired'));
    if (quoted === 'DIFFERS') return { record: (tx, now) => this.refuse(tx, now, offer) };
    const issuedAt = shown === undefined ? this.clock.now() : this.issueTime(offer, shown);
    const draft = issuedAt && (await this.keyFacts.drawUp(journey, offer, quoted, issuedAt));
    // Only the statement that was read binds.
    if (!draft || (shown && draft.contentHash !== shown.hash)) {
      return refused(new Fault('key_facts_changed'));
    }
    const told = {
      quoted,
      draft,
      ...(shown && { language: shown.language, order: shown.order }),
    };
    // From here the lender may be bound: a takeover must send the same.
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

  /** For a changed choice: whether the offer's lender still counts on it. */
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
      const given = { hash: draft.contentHash, language, by: 'CONFIRMATION', at } as const;
      await this.acknowledgements.record(tx, moved, offer.id, given);
    }
    await this.comparisons.chosen(tx, moved, offer, selection, { language, order });
    await this.choices.noteReference(tx, moved, offer);
    // On the hosted screens the choice may still change: the others are notified when it no longer
    // can.
    if (moved.channel !== 'API_HOSTED') await this.withdrawals.tellNotChosen(tx, moved, offer);
    return null;
  }

  /**
   * Undoes the choice that `next` replaces. Its offer cannot be chosen again; another of the same lender can,
   * as the last choice counts.
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

  /** The quote differs from the offer; a repetition raises no new flag. */
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

  /** Null when the statement was not shown since the offer came. */
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
