import { FEE, type JourneyStep } from '../../journey-steps/index.js';
import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import { isInstant } from './journey.js';

const PAY_MS = FEE.payHours * 3_600_000;

interface Started {
  readonly steps: readonly JourneyStep[];
  readonly createdAt: Date;
}

/** The end of an instant loan whose fee is not paid, whichever offer is chosen. */
export function lastEnd({ createdAt }: Pick<Started, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + PAY_MS);
}

/** The fee of an instant loan's offer can be paid while the offer is valid, and before the loan ends. */
export function payableUntil(started: Pick<Started, 'createdAt'>, validUntil: Date): Date {
  return new Date(Math.min(lastEnd(started).getTime(), validUntil.getTime()));
}

/** A payment must begin early enough that its page does not outlast `end`. */
export function beginUntil(end: Date): Date {
  return new Date(end.getTime() - SHORTEST_PAGE_LIFE_MS);
}

/** Until when an offer can be chosen. */
export function choosableUntil(started: Started, validUntil: Date): Date {
  return isInstant(started) ? beginUntil(payableUntil(started, validUntil)) : validUntil;
}
