import { Injectable } from '@nestjs/common';
import type { ActionKind, RedirectStep } from '../../journey-steps/index.js';
import { LenderUnavailable } from '../../lenders/index.js';
import { type Paise, paiseToRupees } from '../../loans/index.js';
import { Clock, Database, Fault, type Language, validationFault } from '../../platform/index.js';
import { readAction } from '../use-cases/action-body.dto.js';
import type { OfferIntent } from '../use-cases/select-offer.handler.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { assertInRange, OfferQuotes } from '../offers/offer-quotes.js';
import { OfferRound } from '../offers/offer-round.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import {
  type PossibleFee,
  type PossibleMandate,
  type PossibleValuation,
  StopConsequences,
} from '../redirects/stop-consequences.js';
import type { DetailChanges } from '../domain/applicant-details.js';
import type { AmountQuestion } from '../access/asked-amounts.js';
import type { ConsentText } from '../../consents/index.js';
import { type Confirmation, HostedConfirmation } from './hosted-confirmation.service.js';
import { withoutChoice } from '../domain/journey.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { Leaving } from './leaving.js';
import { HostedReader } from './hosted-reader.js';
import type { GivenOnPage, HostedJourneyView, HostedQuote, OfferChoice } from './hosted-view.js';
import { LenderAllowance } from '../access/page-allowances.js';

const UNAVAILABLE_RETRY_SECONDS = 5;

/** What the applicant's screens do with a journey. Each method throws Fault journey_not_found. */
@Injectable()
export class HostedJourneys {
  constructor(
    private readonly database: Database,
    private readonly reader: HostedReader,
    private readonly confirmation: HostedConfirmation,
    private readonly journeys: JourneysRepository,
    private readonly actions: SubmitActionService,
    private readonly returns: RedirectReturnedService,
    private readonly offers: OffersRepository,
    private readonly quotes: OfferQuotes,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly allowance: LenderAllowance,
    private readonly leaving: Leaving,
    private readonly consequences: StopConsequences,
    private readonly round: OfferRound,
    private readonly clock: Clock,
  ) {}

  read(key: HostedKey): Promise<HostedJourneyView> {
    return this.reader.read(key);
  }

  /** Any submitted form counts as activity. */
  async touch(key: HostedKey): Promise<void> {
    const journey = await this.reader.journey(key);
    await this.database.transaction((tx) => this.journeys.touch(tx, journey));
  }

  consentText(key: HostedKey, language: Language): Promise<ConsentText> {
    return this.confirmation.consentText(key, language);
  }

  /** @returns false when the text has changed */
  recordConsent(
    key: HostedKey & { readonly sessionId?: string },
    given: GivenOnPage,
  ): Promise<boolean> {
    return this.confirmation.recordConsent(key, given);
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
   * Asks the lenders, once.
   * @param shown the `detailsHash` that was checked
   */
  confirm(key: HostedKey, shown: string): Promise<Confirmation> {
    return this.confirmation.confirm(key, shown);
  }

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
   * Has an offer quoted again, with its statement.
   * @param shownAt the time in the statement shown before, which is kept
   * @throws Fault wrong_step, validation_failed (`offerId`, `loanAmount`), offer_expired, lender_unavailable,
   *   rate_limited
   */
  async quote(
    key: HostedKey,
    offerId: string,
    loanAmount: Paise,
    shownAt?: Date,
  ): Promise<HostedQuote> {
    const seen = await this.reader.journey(key);
    if (seen.state !== 'OFFERS_RECEIVED') await this.leaving.requireWayBack(seen);
    const offer = await this.offers.findInRound(seen, offerId);
    const shown = await this.reader.hostedOffer(seen, offerId);
    if (!offer || !shown)
      throw validationFault([{ field: 'offerId', message: 'must be an offer' }]);
    if (!shown.isValid || shown.isChosen) throw new Fault('offer_expired');
    const now = this.clock.now();
    // A lender must not learn what was agreed with another.
    const journey = withoutChoice(seen);
    assertInRange(offer, loanAmount, 'loanAmount');
    await this.allowance.require('QUOTES_OF_JOURNEY', journey.id);
    const selection = await unlessUnavailable(this.quotes.quote(journey, offer, loanAmount));
    if (selection === 'GONE' || selection === 'DIFFERS') throw new Fault('offer_expired');
    const isOfThisOffer = shownAt !== undefined && shownAt >= offer.createdAt && shownAt <= now;
    const issuedAt = isOfThisOffer ? shownAt : now;
    const { statement, contentHash } = await this.keyFacts.drawUp(
      journey,
      offer,
      selection,
      issuedAt,
    );
    return {
      offer: shown,
      selection,
      statement,
      keyFactsHash: contentHash,
      keyFactsIssuedAt: issuedAt.toISOString(),
    };
  }

  /**
   * @throws Fault key_facts_changed when the statement has changed, rate_limited, and those of
   *   `SubmitActionService.submit`
   */
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

  /**
   * @throws Fault wrong_step once the agreement is or may be signed, action_in_flight, lender_unavailable,
   *   rate_limited
   */
  async stop(key: HostedKey): Promise<void> {
    await this.leaving.stop(await this.reader.journey(key));
  }

  async possibleMandates(key: HostedKey): Promise<PossibleMandate[]> {
    return this.consequences.mandates(await this.reader.journey(key));
  }

  async paidFee(key: HostedKey): Promise<PossibleFee | null> {
    return this.consequences.paidFee(await this.reader.journey(key));
  }

  async possibleValuations(key: HostedKey): Promise<PossibleValuation[]> {
    return this.consequences.valuations(await this.reader.journey(key));
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

  /** Asks the provider; over the limit, the background does. A step that is over is no error here. */
  async returned(key: HostedKey, step: RedirectStep): Promise<void> {
    const journey = await this.reader.journey(key);
    if (await this.allowance.take('VERDICTS_OF_JOURNEY', journey.id)) return;
    try {
      await this.returns.returned(journey, step);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'wrong_step') throw error;
    }
  }
}

async function unlessUnavailable<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof LenderUnavailable)) throw error;
    throw new Fault('lender_unavailable', {
      retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
}
