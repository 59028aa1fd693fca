import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../../platform/index.js';
import { JourneyAllowance } from '../access/hosted-limits.js';
import { redirectStepOf } from '../domain/journey-state.js';
import { OfferChangePolicy } from '../offers/offer-change-policy.js';
import { OfferRound } from '../offers/offer-round.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import { IntentsRepository } from '../store/intents.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';

@Injectable()
export class Leaving {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly intents: IntentsRepository,
    private readonly changePolicy: OfferChangePolicy,
    private readonly returns: RedirectReturnedService,
    private readonly actions: SubmitActionService,
    private readonly allowance: JourneyAllowance,
    private readonly round: OfferRound,
  ) {}

  /** @throws Fault wrong_step when no other offer can be chosen */
  async requireOfferChange(journey: Journey): Promise<void> {
    const offerChange = await this.database.transaction((tx) => this.changePolicy.of(tx, journey));
    if (offerChange !== 'OPEN') throw new Fault('wrong_step');
  }

  /**
   * Asks the lender whether the agreement was signed, if a signing session was opened; unknown counts as signed.
   * @returns the session asked about (`OfferChangePolicy.signingSession`)
   * @throws Fault rate_limited
   */
  async askWhetherSigned(journey: Journey): Promise<string | null> {
    const step = redirectStepOf(journey.state);
    const session = await this.database.transaction((tx) =>
      this.changePolicy.signingSession(tx, journey),
    );
    if (step === null || session === null) return null;
    await this.allowance.require('VERDICTS_OF_JOURNEY', journey.id);
    await this.returns.returned(journey, step, true);
    return session;
  }

  /** @throws Fault wrong_step once the agreement is or may be signed, action_in_flight, rate_limited */
  async stop(seen: Journey): Promise<void> {
    const asked = await this.askWhetherSigned(seen);
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
      if (!journey || (await this.changePolicy.mayBeSigned(tx, journey, asked))) {
        throw new Fault('wrong_step');
      }
      // A silent lender does not prevent stopping.
      await this.actions.withdrawOpen(tx, journey);
      if (await this.intents.hasActionInFlight(tx, journey)) throw new Fault('action_in_flight');
      await this.round.withdraw(tx, journey);
    });
  }
}
