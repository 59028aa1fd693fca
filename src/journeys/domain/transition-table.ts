import type { WebhookEventName } from '../../webhooks/index.js';
import {
  type JourneyState,
  type OutcomeReason,
  STATE_OF_STEP,
  stepOfState,
} from './journey-state.js';
import type { JourneyStep } from '../../settings/index.js';

/** What can happen to a journey. */
export type Trigger =
  | 'OFFERS_ARRIVED'
  | 'OFFERS_RAN_OUT'
  | 'LENDERS_DECLINED'
  | 'LENDERS_SILENT'
  | 'OFFER_SELECTED'
  | 'BRANCH_SELECTED'
  | 'KYC_PASSED'
  | 'KYC_REFUSED'
  | 'ACCOUNT_ACCEPTED'
  | 'ACCOUNT_REFUSED'
  | 'MANDATE_PASSED'
  | 'MANDATE_REFUSED'
  | 'ESIGN_PASSED'
  | 'ESIGN_REFUSED'
  | 'PAID_OUT'
  | 'PAYOUT_REFUSED'
  | 'WENT_IDLE';

interface TransitionRule {
  readonly from: JourneyState;
  readonly trigger: Trigger;
  /** `NEXT_STEP`: the state of the step that follows in the journey's own list. */
  readonly to: JourneyState | 'NEXT_STEP';
  readonly event?: WebhookEventName;
  readonly reason?: OutcomeReason;
}

function rejection(from: JourneyState, trigger: Trigger, reason: OutcomeReason): TransitionRule {
  return { from, trigger, to: 'REJECTED', event: 'journey.rejected', reason };
}

function abandonment(from: JourneyState): TransitionRule {
  return { from, trigger: 'WENT_IDLE', to: 'ABANDONED', event: 'journey.abandoned' };
}

/** How every journey begins. */
export const START = {
  trigger: 'STARTED',
  to: 'INITIATED',
  event: 'journey.initiated',
} as const satisfies { trigger: string; to: JourneyState; event: WebhookEventName };

/** Every move that a journey can make; what is not here cannot happen. */
export const TRANSITIONS: readonly TransitionRule[] = [
  {
    from: 'INITIATED',
    trigger: 'OFFERS_ARRIVED',
    to: 'OFFERS_RECEIVED',
    event: 'journey.offers_received',
  },
  rejection('INITIATED', 'LENDERS_DECLINED', 'NO_OFFERS'),
  rejection('INITIATED', 'LENDERS_SILENT', 'LENDERS_UNAVAILABLE'),
  abandonment('INITIATED'),

  {
    from: 'OFFERS_RECEIVED',
    trigger: 'OFFER_SELECTED',
    to: 'NEXT_STEP',
    event: 'journey.offer_selected',
  },
  { from: 'OFFERS_RECEIVED', trigger: 'OFFERS_RAN_OUT', to: 'INITIATED' },
  abandonment('OFFERS_RECEIVED'),

  { from: 'OFFER_SELECTED', trigger: 'BRANCH_SELECTED', to: 'NEXT_STEP' },
  abandonment('OFFER_SELECTED'),

  { from: 'KYC_PENDING', trigger: 'KYC_PASSED', to: 'NEXT_STEP', event: 'journey.kyc_done' },
  rejection('KYC_PENDING', 'KYC_REFUSED', 'KYC_FAILED'),
  abandonment('KYC_PENDING'),

  { from: 'BANK_ACCOUNT_PENDING', trigger: 'ACCOUNT_ACCEPTED', to: 'NEXT_STEP' },
  rejection('BANK_ACCOUNT_PENDING', 'ACCOUNT_REFUSED', 'BANK_ACCOUNT_FAILED'),
  abandonment('BANK_ACCOUNT_PENDING'),

  {
    from: 'MANDATE_PENDING',
    trigger: 'MANDATE_PASSED',
    to: 'NEXT_STEP',
    event: 'journey.enach_done',
  },
  rejection('MANDATE_PENDING', 'MANDATE_REFUSED', 'MANDATE_FAILED'),
  abandonment('MANDATE_PENDING'),

  { from: 'ESIGN_PENDING', trigger: 'ESIGN_PASSED', to: 'NEXT_STEP', event: 'journey.esign_done' },
  rejection('ESIGN_PENDING', 'ESIGN_REFUSED', 'ESIGN_DECLINED'),
  abandonment('ESIGN_PENDING'),

  {
    from: 'DISBURSEMENT_PENDING',
    trigger: 'PAID_OUT',
    to: 'SANCTIONED',
    event: 'journey.completed',
  },
  rejection('DISBURSEMENT_PENDING', 'PAYOUT_REFUSED', 'DISBURSEMENT_FAILED'),
];

/** A move that is legal: where it leads and what it tells the partner. */
export interface Transition {
  readonly to: JourneyState;
  readonly event?: WebhookEventName;
  readonly reason?: OutcomeReason;
}

const RULES = new Map(TRANSITIONS.map((rule) => [`${rule.from} ${rule.trigger}`, rule]));

/** The move that `trigger` makes in `state`, or null when it makes none. */
export function transition(
  state: JourneyState,
  trigger: Trigger,
  steps: readonly JourneyStep[],
): Transition | null {
  const rule = RULES.get(`${state} ${trigger}`);
  if (!rule) return null;
  const to = rule.to === 'NEXT_STEP' ? stateAfter(state, steps) : rule.to;
  return to && { to, event: rule.event, reason: rule.reason };
}

function stateAfter(state: JourneyState, steps: readonly JourneyStep[]): JourneyState | null {
  const step = stepOfState(state);
  const place = step === null ? -1 : steps.indexOf(step);
  const next = place < 0 ? undefined : steps[place + 1];
  return next ? STATE_OF_STEP[next] : null;
}
