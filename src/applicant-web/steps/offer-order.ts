import type { OfferOrder } from '../../matching/index.js';

/** The orders as addresses and forms carry them. */
const WORDS: Readonly<Record<OfferOrder, string>> = {
  APR: 'apr',
  INSTALMENT: 'instalment',
  TOTAL: 'total',
};

const ORDERS = new Map(Object.entries(WORDS).map(([order, word]) => [word, order as OfferOrder]));

const TEXT_KEYS: Readonly<Record<OfferOrder, string>> = {
  APR: 'steps.offers.order.apr',
  INSTALMENT: 'steps.offers.order.instalment',
  TOTAL: 'steps.offers.order.total',
};

/** An order that the applicant may choose, with the address that has it. */
export interface OrderLink {
  readonly textKey: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** The order that an address or a form carries; that by APR when it carries none. */
export function orderIn(text: unknown): OfferOrder {
  return (typeof text === 'string' && ORDERS.get(text)) || 'APR';
}

export function orderWord(order: OfferOrder): string {
  return WORDS[order];
}

/** An address with the order in it, so that the choice is known to have been made from it. */
export function withOrder(path: string, order: OfferOrder): string {
  if (order === 'APR') return path;
  return `${path}${path.includes('?') ? '&' : '?'}by=${WORDS[order]}`;
}

export function orderLinks(path: string, current: OfferOrder): OrderLink[] {
  return [...ORDERS.values()].map((order) => ({
    textKey: TEXT_KEYS[order],
    href: withOrder(path, order),
    isCurrent: order === current,
  }));
}
