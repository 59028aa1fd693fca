import { Injectable } from '@nestjs/common';
import { NO_CHOICE } from '../domain/journey.js';
import { isStillAsking } from '../offers/ended-rounds.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import type { Tx } from '../../platform/index.js';

/** The journey is locked. */
@Injectable()
export class ReleasedChoices {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectsRepository,
    private readonly withdrawals: LenderWithdrawals,
    private readonly mover: JourneyMover,
  ) {}

  /**
   * @param isPassedThrough another choice follows in this transaction
   * @returns the journey in OFFERS_RECEIVED
   */
  async release(tx: Tx, journey: Journey, isPassedThrough = false): Promise<Journey> {
    const changes = { ...NO_CHOICE, offersDueAt: await this.offers.lastChoosable(tx, journey) };
    const moves = [{ journey, changes }];
    const [[free]] = await this.mover.moveGroups(tx, [
      { moves, trigger: 'OFFER_LET_GO', isPassedThrough },
    ]);
    await this.redirects.release(tx, journey);
    return free;
  }

  /**
   * Its lender considered the offer chosen, so it cannot be chosen again. Another offer of that lender can: the last
   * choice counts.
   */
  async replace(tx: Tx, journey: Journey, next: Offer): Promise<Journey> {
    const chosen = await this.offers.selected(tx, journey);
    const free = await this.release(tx, journey, true);
    await this.offers.expire(tx, chosen);
    if (chosen.lenderCode !== next.lenderCode) {
      await this.withdrawals.notifyReplaced(tx, journey, chosen);
    }
    return free;
  }

  /**
   * For a choice that the lender may know but that was not recorded. The offer expires: the lender would confuse two
   * choices of it.
   */
  async void(tx: Tx, journey: Journey, offer: Offer, intentId: string): Promise<void> {
    await this.withdrawals.notifyVoided(tx, journey, offer, intentId);
    await this.expire(tx, journey, offer);
  }

  /** For an offer that its lender no longer makes. */
  async expire(tx: Tx, journey: Journey, offer: Offer): Promise<void> {
    await this.offers.expire(tx, offer);
    // While lenders are asked, their deadline is next.
    if (journey.state !== 'OFFERS_RECEIVED' || isStillAsking(journey)) return;
    const offersDueAt = await this.offers.lastChoosable(tx, journey);
    await this.journeys.change(tx, journey, journey.state, { offersDueAt });
  }
}
