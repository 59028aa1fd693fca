import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import type { LenderOffer, WaitingAnswer } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { AnswerFlags } from '../progress/answer-flags.js';
import { NO_CHOICE } from '../domain/journey.js';
import { isPast } from '../domain/journey-state.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import { transition } from '../domain/transition-table.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { type NewOffer, OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { OfferIntake } from './offer-intake.js';

type Waiting = WaitingAnswer<'OFFERS'>;

/** A lender replaces its chosen offer: the choice is undone, and the applicant chooses again. */
@Injectable()
export class OfferRevisions {
  constructor(
    private readonly offers: OffersRepository,
    private readonly intake: OfferIntake,
    private readonly redirects: RedirectsRepository,
    private readonly intents: IntentsRepository,
    private readonly withdrawals: LenderWithdrawals,
    private readonly mover: JourneyMover,
    private readonly audit: JourneyAudit,
    private readonly flags: AnswerFlags,
  ) {}

  /**
   * An offer that cannot replace the choice is flagged.
   * @param journey locked; null when there is none
   * @returns false while an action is under way
   */
  async take(tx: Tx, waiting: Waiting, journey: Journey | null): Promise<boolean> {
    const { answer, lenderCode } = waiting;
    const revised = answer.kind === 'OFFERED' ? answer.offers[0] : undefined;
    if (!revised) throw new Error('a revision has no offer');
    if (journey && (await this.intents.hasActionInFlight(tx, journey))) return false;
    const chosen = journey && (await this.replaceable(tx, journey, lenderCode, revised));
    if (journey && chosen) {
      const claimed = { journey, lenderCode, offers: [revised] };
      const [offer] = await this.intake.takeAll(tx, [claimed]);
      if (offer) await this.letGo(tx, journey, chosen, offer);
      return true;
    }
    const { reference: offerReference, principal, apr } = revised;
    const facts = { offerReference, principal, apr, holds: true, state: journey?.state ?? null };
    await this.flags.raise(tx, waiting, 'OFFER_REVISED', 'HOLDS', facts);
    return true;
  }

  /** Replaceable until its fee is paid, or there was a page where the agreement can be signed. */
  private async replaceable(
    tx: Tx,
    journey: Journey,
    lenderCode: string,
    { reference }: LenderOffer,
  ): Promise<Offer | null> {
    const { selectedOfferId, state, steps } = journey;
    if (selectedOfferId === null || !transition(state, 'OFFER_LET_GO', steps)) return null;
    if (isPast(journey, FEE.name)) return null;
    const chosen = await this.offers.selected(tx, journey);
    if (chosen.lenderCode !== lenderCode) return null;
    const made = await this.offers.listIn(tx, journey);
    const isKnown = made.some(
      (one) => one.lenderCode === lenderCode && one.lenderReference === reference,
    );
    const visits = await this.redirects.signingVisits(tx, journey);
    return isKnown || visits.length > 0 ? null : chosen;
  }

  /** The lender knows that a new choice replaces the old one. */
  private async letGo(tx: Tx, journey: Journey, chosen: Offer, revised: NewOffer): Promise<void> {
    await this.audit.record(tx, journey, 'OFFER_REVISED', journey.state);
    await this.offers.expire(tx, chosen);
    const told = await this.withdrawals.toldNotChosen(tx, journey);
    for (const offer of await this.offers.listIn(tx, journey)) {
      if (told.has(offer.lenderCode)) await this.offers.expire(tx, offer);
    }
    const changes = { ...NO_CHOICE, offersDueAt: revised.validUntil };
    await this.mover.move(tx, journey, 'OFFER_LET_GO', changes, 'journey.offers_received');
    await this.redirects.letGo(tx, journey);
  }
}
