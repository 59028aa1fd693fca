import type { JourneyStep } from '../../journey-steps/index.js';
import { isInstant } from './journey.js';
import type { JourneyState } from './journey-state.js';

export const INSTANT_LEAD_STATUSES = [
  'PAYMENT_PENDING',
  'PAYMENT_FAILED',
  'PAYMENT_RECEIVED',
  'SANCTIONED',
  'REJECTED',
  'EXPIRED',
] as const;

export type InstantLeadStatus = (typeof INSTANT_LEAD_STATUSES)[number];

export const AFTER_INSTANT: Readonly<Record<InstantLeadStatus, readonly InstantLeadStatus[]>> = {
  PAYMENT_PENDING: ['REJECTED', 'PAYMENT_RECEIVED', 'PAYMENT_FAILED', 'EXPIRED'],
  PAYMENT_FAILED: ['PAYMENT_PENDING', 'PAYMENT_RECEIVED', 'EXPIRED'],
  PAYMENT_RECEIVED: ['SANCTIONED', 'REJECTED'],
  SANCTIONED: [],
  REJECTED: [],
  EXPIRED: [],
};

const OF_INSTANT: Readonly<Record<JourneyState, InstantLeadStatus>> = {
  INITIATED: 'PAYMENT_PENDING',
  OFFERS_RECEIVED: 'PAYMENT_PENDING',
  OFFER_SELECTED: 'PAYMENT_PENDING',
  FEE_PENDING: 'PAYMENT_PENDING',
  KYC_PENDING: 'PAYMENT_RECEIVED',
  BANK_ACCOUNT_PENDING: 'PAYMENT_RECEIVED',
  MANDATE_PENDING: 'PAYMENT_RECEIVED',
  ESIGN_PENDING: 'PAYMENT_RECEIVED',
  DECISION_PENDING: 'PAYMENT_RECEIVED',
  DISBURSEMENT_PENDING: 'PAYMENT_RECEIVED',
  SANCTIONED: 'SANCTIONED',
  REJECTED: 'REJECTED',
  ABANDONED: 'EXPIRED',
};

export function leadStatusOf(journey: {
  readonly state: JourneyState;
  readonly steps: readonly JourneyStep[];
}): string {
  return isInstant(journey) ? OF_INSTANT[journey.state] : journey.state;
}
