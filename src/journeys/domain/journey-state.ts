import type { JourneyStep } from '../../settings/index.js';

export const JOURNEY_STATES = [
  'INITIATED',
  'OFFERS_RECEIVED',
  'OFFER_SELECTED',
  'KYC_PENDING',
  'BANK_ACCOUNT_PENDING',
  'MANDATE_PENDING',
  'ESIGN_PENDING',
  'DISBURSEMENT_PENDING',
  'SANCTIONED',
  'REJECTED',
  'ABANDONED',
] as const;

export type JourneyState = (typeof JOURNEY_STATES)[number];

export type TerminalState = 'SANCTIONED' | 'REJECTED' | 'ABANDONED';

/** Why a journey ended in REJECTED. */
export const OUTCOME_REASONS = [
  'NO_OFFERS',
  'LENDERS_UNAVAILABLE',
  'KYC_FAILED',
  'BANK_ACCOUNT_FAILED',
  'MANDATE_FAILED',
  'ESIGN_DECLINED',
  'DISBURSEMENT_FAILED',
] as const;

export type OutcomeReason = (typeof OUTCOME_REASONS)[number];

export const OUTCOMES = ['IN_PROGRESS', 'SANCTIONED', 'REJECTED', 'ABANDONED'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The state in which a journey is at a step. */
export const STATE_OF_STEP = {
  OFFERS: 'INITIATED',
  BRANCH: 'OFFER_SELECTED',
  KYC: 'KYC_PENDING',
  BANK_ACCOUNT: 'BANK_ACCOUNT_PENDING',
  MANDATE: 'MANDATE_PENDING',
  ESIGN: 'ESIGN_PENDING',
  DISBURSEMENT: 'DISBURSEMENT_PENDING',
} as const satisfies Record<JourneyStep, JourneyState>;

export function isTerminal(state: JourneyState): state is TerminalState {
  return state === 'SANCTIONED' || state === 'REJECTED' || state === 'ABANDONED';
}

export function outcomeOf(state: JourneyState): Outcome {
  return isTerminal(state) ? state : 'IN_PROGRESS';
}

/** The step that a journey in this state is at; null when it is over. */
export function stepOfState(state: JourneyState): JourneyStep | null {
  // Offers that have come in are still the step of the offers: one of them is to be chosen.
  if (state === 'OFFERS_RECEIVED') return 'OFFERS';
  const entry = Object.entries(STATE_OF_STEP).find(([, stepState]) => stepState === state);
  return entry ? (entry[0] as JourneyStep) : null;
}
