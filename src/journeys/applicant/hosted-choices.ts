import { Injectable } from '@nestjs/common';
import type { ActionKind, RedirectStep } from '../../journey-steps/index.js';
import { paiseToRupees } from '../../loans/index.js';
import { Database, isFault } from '../../platform/index.js';
import { JourneyAllowance } from '../access/hosted-limits.js';
import { OfferRound } from '../offers/offer-round.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import { StopConsequences, type StopRemains } from '../redirects/stop-consequences.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { readAction } from '../use-cases/action-body.dto.js';
import type { OfferIntent } from '../use-cases/select-offer.handler.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';
import { HostedReader } from './hosted-reader.js';
import type { OfferChoice } from './hosted-view.js';
import { Leaving } from './leaving.js';

@Injectable()
export class HostedChoices {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly reader: HostedReader,
    private readonly round: OfferRound,
    private readonly allowance: JourneyAllowance,
    private readonly leaving: Leaving,
    private readonly actions: SubmitActionService,
  ) {}

  /**
   * Shows the offers so far; later ones are added until the choice.
   * @returns false with fewer than two offers, or when no lender is waited for
   */
  async openOffers({ partnerId, journeyId }: HostedKey): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, partnerId, journeyId);
      return journey !== null && this.round.open(tx, journey);
    });
  }

  /**
   * @throws Fault key_facts_changed when the statement has changed, rate_limited, and those of
   *   `SubmitActionService.submit`
   */
  async chooseOffer(key: HostedKey, choice: OfferChoice): Promise<void> {
    const journey = await this.reader.journey(key);
    // Each choice may ask the lender for a quote, even one that then fails with key_facts_changed.
    await this.allowance.require('QUOTES_OF_JOURNEY', journey.id);
    const { insteadOf } = choice;
    // The applicant may have signed a moment ago.
    const unsigned = insteadOf === undefined ? null : await this.leaving.askWhetherSigned(journey);
    const intent: OfferIntent = {
      offerId: choice.offerId,
      ...(insteadOf !== undefined && { insteadOf: { offerId: insteadOf, unsigned } }),
      loanAmount: paiseToRupees(choice.loanAmount),
      shownKeyFacts: {
        hash: choice.keyFactsHash,
        issuedAt: choice.keyFactsIssuedAt,
        language: choice.language,
        order: choice.order,
      },
    };
    await this.actions.submit(journey, 'SELECT_OFFER', intent);
  }

  /** @throws Fault validation_failed (fields as `payload.accNo`) and those of `SubmitActionService.submit` */
  async act(
    key: HostedKey,
    kind: Exclude<ActionKind, 'SELECT_OFFER'>,
    payload: object,
  ): Promise<void> {
    const journey = await this.reader.journey(key);
    await this.actions.submit(journey, kind, readAction({ kind, payload }));
  }
}

@Injectable()
export class HostedVisits {
  constructor(
    private readonly reader: HostedReader,
    private readonly returns: RedirectReturnedService,
    private readonly allowance: JourneyAllowance,
    private readonly leaving: Leaving,
    private readonly consequences: StopConsequences,
  ) {}

  /** Asks the provider; over the limit, the background asks. Ignores a step that has ended. */
  async returned(key: HostedKey, step: RedirectStep): Promise<void> {
    const journey = await this.reader.journey(key);
    if (await this.allowance.take('VERDICTS_OF_JOURNEY', journey.id)) return;
    try {
      await this.returns.returned(journey, step);
    } catch (error) {
      if (!isFault(error, 'wrong_step')) throw error;
    }
  }

  /**
   * @throws Fault wrong_step once the agreement is or may be signed, action_in_flight, lender_unavailable,
   * rate_limited
   */
  async stop(key: HostedKey): Promise<void> {
    await this.leaving.stop(await this.reader.journey(key));
  }

  async remains(key: HostedKey): Promise<StopRemains> {
    return this.consequences.of(await this.reader.journey(key));
  }
}
