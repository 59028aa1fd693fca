import { Injectable, type PipeTransform } from '@nestjs/common';
import {
  HostedChoices,
  type HostedOffer,
  type HostedQuote,
  HostedQuotes,
  type OfferChoice,
  OfferGone,
} from '../../journeys/index.js';
import { type Paise, paiseToRupees, rupeesToPaise } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { isFault, type Page } from '../../platform/index.js';
import {
  COMPARISON,
  CURRENT_SCREEN,
  requireScreen,
  ScreenRedirect,
} from '../entry/current-screen.js';
import { CurrentVisit, type JourneyVisit, ReadJourney } from '../entry/signed-in.js';
import { withOrder } from '../offers/offer-order.js';
import { lenderAwayPage } from './step-pages.js';

const EXPIRED = noticePath('EXPIRED');

export interface OpenOffer extends JourneyVisit {
  readonly offer: HostedOffer;
}

class FindOffer implements PipeTransform<JourneyVisit, OpenOffer> {
  transform(visit: JourneyVisit): OpenOffer {
    const { view, request } = visit;
    if (view.offerChange !== 'OPEN') requireScreen(view, COMPARISON);
    const offer = view.offers.find(({ offerId }) => offerId === request.params.offerId);
    if (!offer) throw new ScreenRedirect(COMPARISON);
    // Chosen meanwhile, on another device or by a pending action.
    if (offer.isChosen) throw new ScreenRedirect(CURRENT_SCREEN);
    if (!offer.isValid) throw new ScreenRedirect(EXPIRED);
    return { ...visit, offer };
  }
}

/**
 * A visit to the page of an offer, `:offerId`.
 * @throws ScreenRedirect when the journey is elsewhere, the offer unknown or no longer valid
 */
export const OfferHere = () => CurrentVisit(ReadJourney, FindOffer);

@Injectable()
export class OfferLookup {
  constructor(
    private readonly quotes: HostedQuotes,
    private readonly choices: HostedChoices,
  ) {}

  /**
   * Returns a page when the lender cannot be reached.
   * @throws Fault offer_expired when the lender has withdrawn the offer, and those of `HostedQuotes.quote`
   */
  async quote(
    { session, offer }: OpenOffer,
    amount: Paise,
    retryHref: string,
    issuedAt?: Date,
  ): Promise<HostedQuote | Page> {
    try {
      return await this.quotes.quote(session, offer.offerId, amount, issuedAt);
    } catch (error) {
      return lenderAwayPage(error, offer.lenderName, retryHref);
    }
  }

  /**
   * @returns `CHANGED` when the statement has changed; a page when the lender cannot be reached
   * @throws ScreenRedirect when the offer is gone
   */
  async choose(
    { session, offer }: OpenOffer,
    shown: Omit<OfferChoice, 'offerId'>,
    retryHref: string,
  ): Promise<'CHOSEN' | 'CHANGED' | Page> {
    try {
      await this.choices.chooseOffer(session, { offerId: offer.offerId, ...shown });
      return 'CHOSEN';
    } catch (error) {
      if (isFault(error, 'key_facts_changed')) return 'CHANGED';
      if (error instanceof OfferGone) throw new ScreenRedirect(noticePath(error.reason));
      return lenderAwayPage(error, offer.lenderName, retryHref);
    }
  }
}

function noticePath(reason: OfferGone['reason']): string {
  return `${COMPARISON}?notice=${reason.toLowerCase()}`;
}

export function offerPath(offerId: string): string {
  return `/hosted/offers/${encodeURIComponent(offerId)}`;
}

const IN_ADDRESS = /^\d{1,13}(\.\d{1,2})?$/;

export function isInRange(offer: HostedOffer, amount: Paise): boolean {
  return amount >= offer.minimumAmount && amount <= offer.amount;
}

/** Null unless the offer covers the amount in the address. */
export function amountIn(offer: HostedOffer, text: unknown): Paise | null {
  if (typeof text !== 'string' || !IN_ADDRESS.test(text)) return null;
  const amount = rupeesToPaise(Number(text));
  return isInRange(offer, amount) ? amount : null;
}

export function suggestedAmount(offer: HostedOffer, asked: Paise): Paise {
  return Math.max(offer.minimumAmount, Math.min(offer.amount, asked));
}

/** `150000` or `150000.50`. */
export function rupeesText(amount: Paise): string {
  const rupees = paiseToRupees(amount);
  return Number.isInteger(rupees) ? String(rupees) : rupees.toFixed(2);
}

export function amountPath(offerId: string, amount: Paise, order: OfferOrder): string {
  return withOrder(`${offerPath(offerId)}?amount=${rupeesText(amount)}`, order);
}

export function confirmPath(offerId: string, amount: Paise, order: OfferOrder = 'APR'): string {
  return withOrder(`${offerPath(offerId)}/confirm?amount=${rupeesText(amount)}`, order);
}
