import { Injectable } from '@nestjs/common';
import type { GoneReason } from '../../lenders/index.js';
import { type Paise, rupeesToPaise } from '../../loans/index.js';
import { Database, Fault, type Tx, validationFault } from '../../platform/index.js';
import { redirectStepOf } from '../domain/journey-state.js';
import { withoutChoice } from '../domain/journey.js';
import { DrawnChoices, type ShownKeyFacts } from '../offers/drawn-choices.js';
import { assertInRange } from '../offers/offer-quotes.js';
import { OfferChangePolicy } from '../offers/offer-change-policy.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import type { Intent } from '../store/intents.repository.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { ActionHandler, ActionOutcome, PreparedAction } from './action-handler.js';
import { type Choice, LenderChoices } from './lender-choices.js';
import { RecordedChoices } from './recorded-choices.js';
import { ReleasedChoices } from './released-choices.js';

const MESSAGES: Readonly<Record<GoneReason, string>> = {
  EXPIRED: 'This offer has expired at the lender; choose another offer',
  AMOUNT_OUT_OF_RANGE: 'The lender no longer offers this amount; choose another offer',
  WITHDRAWN: 'The lender withdrew this offer; choose another offer',
  OTHER: 'The lender refused the choice of this offer; choose another offer',
};

/** No other amount of the offer can be chosen either. */
const FINAL_REASONS: ReadonlySet<GoneReason> = new Set(['EXPIRED', 'WITHDRAWN']);

/** The lender refuses the choice: the journey stays where it is, other offers remain. */
export class OfferGone extends Fault {
  constructor(readonly reason: GoneReason) {
    super('offer_expired', { message: MESSAGES[reason] });
  }
}

interface EarlierChoice {
  readonly offerId: string;
  /** The session that its lender called unsigned; null: there was none. */
  readonly unsigned: string | null;
}

export interface OfferIntent {
  readonly offerId: string;
  /** In rupees; absent: the offer's principal. */
  readonly loanAmount?: number;
  /** Absent: a partner's program chooses. */
  readonly shownKeyFacts?: ShownKeyFacts;
  readonly insteadOf?: EarlierChoice;
  /** Added once the lender may know of it, so that a retry sends the same. */
  readonly sentChoice?: Omit<Choice, 'offer'>;
}

@Injectable()
export class SelectOfferHandler implements ActionHandler<OfferIntent> {
  readonly kind = 'SELECT_OFFER';
  readonly state = 'OFFERS_RECEIVED';

  constructor(
    private readonly database: Database,
    private readonly offers: OffersRepository,
    private readonly changePolicy: OfferChangePolicy,
    private readonly returns: RedirectReturnedService,
    private readonly drawn: DrawnChoices,
    private readonly choices: LenderChoices,
    private readonly recorded: RecordedChoices,
    private readonly released: ReleasedChoices,
  ) {}

  /** On the hosted screens the choice can be changed until the signature. */
  async isOpenElsewhere(tx: Tx, journey: Journey, { insteadOf }: OfferIntent): Promise<boolean> {
    if (insteadOf === undefined || insteadOf.offerId !== journey.selectedOfferId) return false;
    const offerChange = await this.changePolicy.of(tx, journey, insteadOf.unsigned);
    // Also when the offer has expired since its lender accepted the choice.
    return offerChange === 'OPEN' || offerChange === 'NONE_LEFT';
  }

  /** The applicant may have signed since the lender called the session unsigned. */
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
    const { sentChoice } = payload;
    const { lenderCode } = offer;
    // The agreement with another lender does not concern this one.
    const journey = withoutChoice(seen);
    // The lender may have accepted it: later changes do not matter.
    if (sentChoice) {
      return { lenderCode, call: (intent) => this.put(journey, { offer, ...sentChoice }, intent) };
    }
    const principal =
      payload.loanAmount === undefined ? offer.principal : rupeesToPaise(payload.loanAmount);
    if (this.drawn.hasExpired(offer) || !(await this.isStillAvailable(seen, offer))) {
      throw new Fault('offer_expired');
    }
    assertInRange(offer, principal, 'payload.loanAmount');
    return {
      lenderCode,
      call: (intent) => this.call(journey, offer, principal, payload, intent),
    };
  }

  async undo(tx: Tx, journey: Journey, { id, payload }: Intent): Promise<void> {
    const offer = await this.offers.find(tx, journey, (payload as OfferIntent).offerId);
    if (offer) await this.released.void(tx, journey, offer, id);
  }

  private async call(
    journey: Journey,
    offer: Offer,
    principal: Paise,
    { shownKeyFacts: shown }: OfferIntent,
    intent: Intent,
  ): Promise<ActionOutcome> {
    const drawn = await this.drawn.draw(journey, offer, principal, shown);
    if (drawn instanceof Fault) {
      const isGone = drawn.code === 'offer_expired' && principal === offer.principal;
      return this.refused(offer, drawn, isGone);
    }
    if (drawn === 'DIFFERS') return { record: (tx, now) => this.refuse(tx, now, offer) };
    const sentChoice = { ...drawn, language: shown?.language, order: shown?.order };
    // From here the lender may be bound: a takeover must send the same.
    await this.choices.keep(intent, sentChoice);
    return this.put(journey, { offer, ...sentChoice }, intent);
  }

  private async put(journey: Journey, choice: Choice, intent: Intent): Promise<ActionOutcome> {
    const taken = await this.choices.put(journey, choice, intent);
    if ('reason' in taken) {
      const { reason } = taken;
      return this.refused(choice.offer, new OfferGone(reason), FINAL_REASONS.has(reason));
    }
    const made = { ...choice, ...taken, agreedAt: intent.createdAt };
    return {
      isBinding: true,
      record: async (tx, now) => {
        const moved = await this.recorded.record(tx, now, made);
        await this.choices.noteReference(tx, moved, choice.offer);
        return null;
      },
    };
  }

  private async isStillAvailable(journey: Journey, { id }: Offer): Promise<boolean> {
    if (journey.selectedOfferId === null) return true;
    const others = await this.database.transaction((tx) => this.changePolicy.others(tx, journey));
    return others.some((other) => other.id === id);
  }

  /** @param isGone no amount of it can be chosen: it expires, or it would be chosen and refused again */
  private refused(offer: Offer, fault: Fault, isGone: boolean): ActionOutcome {
    return {
      record: async (tx, journey) => {
        if (isGone) await this.released.expire(tx, journey, offer);
        return fault;
      },
    };
  }

  private async refuse(tx: Tx, journey: Journey, offer: Offer): Promise<Fault> {
    await this.drawn.flag(tx, journey, offer);
    return new Fault('offer_expired');
  }
}
