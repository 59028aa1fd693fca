import { Injectable } from '@nestjs/common';
import { LenderUnavailable } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
import { Clock, Database, Fault, validationFault } from '../../platform/index.js';
import { JourneyAllowance } from '../access/hosted-limits.js';
import { type QuotedLoan, withoutChoice } from '../domain/journey.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { assertInRange, OfferQuotes } from '../offers/offer-quotes.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { IntentsRepository } from '../store/intents.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import { ReleasedChoices } from '../use-cases/released-choices.js';
import { HostedOfferReader } from './hosted-offer-reader.js';
import { HostedReader } from './hosted-reader.js';
import type { HostedQuote } from './hosted-view.js';
import { Leaving } from './leaving.js';

const UNAVAILABLE_RETRY_SECONDS = 5;

@Injectable()
export class PageQuotes {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly intents: IntentsRepository,
    private readonly quotes: OfferQuotes,
    private readonly released: ReleasedChoices,
  ) {}

  /**
   * Expires an offer whose whole amount its lender no longer lends.
   * @throws Fault offer_expired, lender_unavailable
   */
  async ask(seen: Journey, offer: Offer, loanAmount: Paise): Promise<QuotedLoan> {
    // A lender must not learn what was agreed with another.
    const quote = this.quotes.quote(withoutChoice(seen), offer, loanAmount);
    const quoted = await unlessUnavailable(quote);
    if (quoted !== 'GONE' && quoted !== 'DIFFERS') return quoted;
    if (quoted === 'GONE' && loanAmount === offer.principal) await this.expire(seen, offer);
    throw new Fault('offer_expired');
  }

  /** Unless an action may be choosing it. */
  private async expire({ partnerId, id }: Journey, offer: Offer): Promise<void> {
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, partnerId, id);
      if (!journey || journey.selectedOfferId === offer.id) return;
      if (await this.intents.hasActionInFlight(tx, journey)) return;
      await this.released.expire(tx, journey, offer);
    });
  }
}

@Injectable()
export class HostedQuotes {
  constructor(
    private readonly reader: HostedReader,
    private readonly leaving: Leaving,
    private readonly offers: OffersRepository,
    private readonly hostedOffers: HostedOfferReader,
    private readonly allowance: JourneyAllowance,
    private readonly quotes: PageQuotes,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly clock: Clock,
  ) {}

  /**
   * Requests a new quote and its statement.
   * @param shownAt the time of the statement shown before, which is kept
   * @throws Fault wrong_step, validation_failed (`offerId`, `loanAmount`), offer_expired, lender_unavailable,
   * rate_limited
   */
  async quote(
    key: HostedKey,
    offerId: string,
    loanAmount: Paise,
    shownAt?: Date,
  ): Promise<HostedQuote> {
    const seen = await this.reader.journey(key);
    if (seen.state !== 'OFFERS_RECEIVED') await this.leaving.requireOfferChange(seen);
    const offer = await this.offers.findInRound(seen, offerId);
    const shown = await this.hostedOffers.find(seen, offerId);
    if (!offer || !shown)
      throw validationFault([{ field: 'offerId', message: 'must be an offer' }]);
    if (!shown.isValid || shown.isChosen) throw new Fault('offer_expired');
    const now = this.clock.now();
    assertInRange(offer, loanAmount, 'loanAmount');
    await this.allowance.require('QUOTES_OF_JOURNEY', seen.id);
    const selection = await this.quotes.ask(seen, offer, loanAmount);
    const isOfThisOffer = shownAt !== undefined && shownAt >= offer.createdAt && shownAt <= now;
    const issuedAt = isOfThisOffer ? shownAt : now;
    const { statement, contentHash } = await this.keyFacts.drawUp(seen, offer, selection, issuedAt);
    return {
      offer: shown,
      selection,
      statement,
      keyFactsHash: contentHash,
      keyFactsIssuedAt: issuedAt.toISOString(),
    };
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
