import type { HostedOffer } from '../../journeys/index.js';
import { type Paise, paiseToRupees, rupeesToPaise } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { withOrder } from '../offers/offer-order.js';

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
