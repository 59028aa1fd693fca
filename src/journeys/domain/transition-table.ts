import type { WebhookEventName } from '../../webhooks/index.js';
import {
  type JourneyStep,
  type Milestone,
  STEP_STATES,
  type StepTrigger,
} from '../../journey-steps/index.js';
import {
  type JourneyState,
  type OutcomeReason,
  STATE_OF_STEP,
  stepOfState,
} from './journey-state.js';

export type Trigger = StepTrigger | 'OFFER_LET_GO' | 'CONSENT_WITHDRAWN' | 'WENT_IDLE';

export interface Transition {
  readonly to: JourneyState;
  readonly event?: WebhookEventName;
  readonly reason?: OutcomeReason;
  readonly milestones?: readonly Milestone[];
}

interface TransitionRule extends Omit<Transition, 'to'> {
  readonly from: JourneyState;
  readonly trigger: Trigger;
  /** `NEXT_STEP`: the state of the journey's next step. */
  readonly to: JourneyState | 'NEXT_STEP';
}

type Move = (typeof STEP_STATES)[number]['moves'][number];

function ruleOf(from: JourneyState, move: Move): TransitionRule {
  const { trigger, to } = move;
  const withMilestones = 'milestones' in move &&
    move.milestones.length > 0 && { milestones: move.milestones };
  if ('reason' in move) {
    const event = to === 'REJECTED' ? 'journey.rejected' : 'journey.abandoned';
    return { from, trigger, to, event, reason: move.reason, ...withMilestones };
  }
  return {
    from,
    trigger,
    to,
    ...('event' in move && { event: move.event.name }),
    ...withMilestones,
  };
}

function abandonment(from: JourneyState): TransitionRule {
  return { from, trigger: 'WENT_IDLE', to: 'ABANDONED', event: 'journey.abandoned' };
}

function withdrawal(from: JourneyState): TransitionRule {
  const reason = 'CONSENT_WITHDRAWN';
  return { from, trigger: reason, to: 'ABANDONED', event: 'journey.abandoned', reason };
}

/** Only on the hosted screens. */
function releasing(from: JourneyState): TransitionRule {
  return { from, trigger: 'OFFER_LET_GO', to: 'OFFERS_RECEIVED' };
}

/** Until the agreement is signed: the payout then begins. */
function beforeMoney(from: JourneyState): TransitionRule[] {
  const isChosen = stepOfState(from) !== 'OFFERS';
  return [...(isChosen ? [releasing(from)] : []), withdrawal(from), abandonment(from)];
}

export const START = {
  trigger: 'STARTED',
  to: 'INITIATED',
  event: 'journey.initiated',
} as const satisfies { trigger: string; to: JourneyState; event: WebhookEventName };

/** An instant loan ends when no offer can be paid for. */
const UNCHOSEN: TransitionRule = {
  from: 'OFFERS_RECEIVED',
  trigger: 'FEE_UNPAID',
  to: 'ABANDONED',
  event: 'journey.abandoned',
  reason: 'PAYMENT_EXPIRED',
};

export const TRANSITIONS: readonly TransitionRule[] = [
  ...STEP_STATES.flatMap((state) => [
    ...state.moves.map((move) => ruleOf(state.name, move)),
    ...(state.mayBeLeft ? beforeMoney(state.name) : []),
  ]),
  UNCHOSEN,
];

const RULES = new Map(TRANSITIONS.map((rule) => [`${rule.from} ${rule.trigger}`, rule]));

export function transition(
  state: JourneyState,
  trigger: Trigger,
  steps: readonly JourneyStep[],
): Transition | null {
  const rule = RULES.get(`${state} ${trigger}`);
  if (!rule) return null;
  const to = rule.to === 'NEXT_STEP' ? stateAfter(state, steps) : rule.to;
  const { event, reason, milestones } = rule;
  return to && { to, event, reason, milestones };
}

function stateAfter(state: JourneyState, steps: readonly JourneyStep[]): JourneyState | null {
  const step = stepOfState(state);
  const index = step === null ? -1 : steps.indexOf(step);
  const next = index < 0 ? undefined : steps[index + 1];
  return next ? STATE_OF_STEP[next] : null;
}
