import { Injectable } from '@nestjs/common';
import type { ConsentText } from '../../consents/index.js';
import type { ActionKind, RedirectStep } from '../../journey-steps/index.js';
import { type Paise, paiseToRupees } from '../../loans/index.js';
import { Database, Fault, type Language } from '../../platform/index.js';
import type { AmountQuestion } from '../access/asked-amounts.js';
import { LenderAllowance } from '../access/hosted-limits.js';
import type { DetailChanges } from '../domain/applicant-details.js';
import { OfferRound } from '../offers/offer-round.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import { StopConsequences, type StopRemains } from '../redirects/stop-consequences.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { readAction } from '../use-cases/action-body.dto.js';
import type { OfferIntent } from '../use-cases/select-offer.handler.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';
import { type Confirmation, HostedConfirmation } from './hosted-confirmation.service.js';
import { HostedConsents } from './hosted-consents.js';
import { HostedQuotes } from './hosted-quotes.js';
import { HostedReader } from './hosted-reader.js';
import type { GivenOnPage, HostedJourneyView, HostedQuote, OfferChoice } from './hosted-view.js';
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

  async openOffers({ partnerId, journeyId }: HostedKey): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, partnerId, journeyId);
      return journey !== null && this.round.open(tx, journey);
    });
  }

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

@Injectable()
export class HostedVisits {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly reader: HostedReader,
    private readonly returns: RedirectReturnedService,
    private readonly allowance: LenderAllowance,
    private readonly leaving: Leaving,
    private readonly consequences: StopConsequences,
  ) {}

  async touch(key: HostedKey): Promise<void> {
    const journey = await this.reader.journey(key);
    await this.database.transaction((tx) => this.journeys.touch(tx, journey));
  }

  async returned(key: HostedKey, step: RedirectStep): Promise<void> {
    const journey = await this.reader.journey(key);
    if (await this.allowance.take('VERDICTS_OF_JOURNEY', journey.id)) return;
    try {
      await this.returns.returned(journey, step);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'wrong_step') throw error;
    }
  }

  async stop(key: HostedKey): Promise<void> {
    await this.leaving.stop(await this.reader.journey(key));
  }

  async remains(key: HostedKey): Promise<StopRemains> {
    return this.consequences.of(await this.reader.journey(key));
  }
}

/** The applicant's actions on the hosted screens. Each method throws Fault journey_not_found. */
@Injectable()
export class HostedJourneys {
  constructor(
    private readonly reader: HostedReader,
    private readonly consents: HostedConsents,
    private readonly confirmation: HostedConfirmation,
    private readonly quotes: HostedQuotes,
    private readonly choices: HostedChoices,
    private readonly visits: HostedVisits,
    private readonly actions: SubmitActionService,
  ) {}

  read(key: HostedKey): Promise<HostedJourneyView> {
    return this.reader.read(key);
  }

  touch(key: HostedKey): Promise<void> {
    return this.visits.touch(key);
  }

  consentText(key: HostedKey, language: Language): Promise<ConsentText> {
    return this.consents.consentText(key, language);
  }

  /** @returns false when the text has changed */
  recordConsent(
    key: HostedKey & { readonly sessionId?: string },
    given: GivenOnPage,
  ): Promise<boolean> {
    return this.consents.recordConsent(key, given);
  }

  /** @throws Fault wrong_step once the lenders have been asked */
  submitDetails(key: HostedKey, changes: DetailChanges): Promise<void> {
    return this.confirmation.submitDetails(key, changes);
  }

  /** @throws Fault product_unavailable */
  amountQuestion(
    journey: Pick<HostedJourneyView, 'productCode' | 'loanAmount'>,
  ): Promise<AmountQuestion> {
    return this.confirmation.amountQuestion(journey);
  }

  /** @throws Fault wrong_step once the lenders have been asked, validation_failed (`loanAmount`) */
  submitAmount(key: HostedKey, loanAmount: Paise): Promise<void> {
    return this.confirmation.submitAmount(key, loanAmount);
  }

  /**
   * Idempotent.
   * @param shown the `detailsHash` that the applicant checked
   */
  confirm(key: HostedKey, shown: string): Promise<Confirmation> {
    return this.confirmation.confirm(key, shown);
  }

  /**
   * Shows the offers so far; later ones are added until the choice.
   * @returns false with fewer than two offers, or when no lender is waited for
   */
  openOffers(key: HostedKey): Promise<boolean> {
    return this.choices.openOffers(key);
  }

  /**
   * @param shownAt the time of the statement shown before, which is kept
   * @throws Fault as `HostedQuotes.quote`
   */
  quote(key: HostedKey, offerId: string, loanAmount: Paise, shownAt?: Date): Promise<HostedQuote> {
    return this.quotes.quote(key, offerId, loanAmount, shownAt);
  }

  /**
   * @throws Fault key_facts_changed when the statement has changed, rate_limited, and those of
   *   `SubmitActionService.submit`
   */
  chooseOffer(key: HostedKey, choice: OfferChoice): Promise<void> {
    return this.choices.chooseOffer(key, choice);
  }

  /**
   * @throws Fault wrong_step once the agreement is or may be signed, action_in_flight, lender_unavailable,
   * rate_limited
   */
  stop(key: HostedKey): Promise<void> {
    return this.visits.stop(key);
  }

  remains(key: HostedKey): Promise<StopRemains> {
    return this.visits.remains(key);
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

  /** Asks the provider; over the limit, the background asks. Ignores a step that has ended. */
  returned(key: HostedKey, step: RedirectStep): Promise<void> {
    return this.visits.returned(key, step);
  }
}
