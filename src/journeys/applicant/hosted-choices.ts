import { Injectable } from '@nestjs/common';
import { paiseToRupees } from '../../loans/index.js';
import { Database } from '../../platform/index.js';
import { LenderAllowance } from '../access/page-allowances.js';
import { OfferRound } from '../offers/offer-round.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
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
    private readonly allowance: LenderAllowance,
    private readonly leaving: Leaving,
    private readonly actions: SubmitActionService,
  ) {}

  /** See `HostedJourneys.openOffers`. */
  async openOffers({ partnerId, journeyId }: HostedKey): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, partnerId, journeyId);
      return journey !== null && this.round.open(tx, journey);
    });
  }

  /** See `HostedJourneys.chooseOffer`. */
  async chooseOffer(key: HostedKey, choice: OfferChoice): Promise<void> {
    const journey = await this.reader.journey(key);
    // The lender quotes before the statement is compared.
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
}
