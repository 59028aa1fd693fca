import type { OfferOrder } from '../../matching/index.js';
import { say } from '../../platform/index.js';

const WORDS: Readonly<Record<OfferOrder, string>> = {
  APR: 'apr',
  INSTALMENT: 'instalment',
  TOTAL: 'total',
};

const ORDERS = new Map(Object.entries(WORDS).map(([order, word]) => [word, order as OfferOrder]));

const TEXT_KEYS: Readonly<Record<OfferOrder, string>> = {
  APR: 'offers.order.apr',
  INSTALMENT: 'offers.order.emi',
  TOTAL: 'offers.order.total',
};

/** APR unless another order is named. */
export function orderIn(text: unknown): OfferOrder {
  return (typeof text === 'string' && ORDERS.get(text)) || 'APR';
}

export function orderWord(order: OfferOrder): string {
  return WORDS[order];
}

/** The address names the order, so that the choice records it. */
export function withOrder(path: string, order: OfferOrder): string {
  if (order === 'APR') return path;
  return `${path}${path.includes('?') ? '&' : '?'}by=${WORDS[order]}`;
}

export function orderLinks(path: string, current: OfferOrder) {
  return [...ORDERS.values()].map((order) => ({
    text: say(TEXT_KEYS[order]),
    href: withOrder(path, order),
    isCurrent: order === current,
  }));
}
