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

/** What can happen to a journey. */
export type Trigger = StepTrigger | 'OFFER_LET_GO' | 'CONSENT_WITHDRAWN' | 'WENT_IDLE';

interface TransitionRule {
  readonly from: JourneyState;
  readonly trigger: Trigger;
  /** `NEXT_STEP`: the state of the step that follows in the journey's own list. */
  readonly to: JourneyState | 'NEXT_STEP';
  readonly event?: WebhookEventName;
  readonly reason?: OutcomeReason;
  readonly milestones?: readonly Milestone[];
}

type Move = (typeof STEP_STATES)[number]['moves'][number];

function ruleOf(from: JourneyState, move: Move): TransitionRule {
  const { trigger, to } = move;
  const told = 'milestones' in move &&
    move.milestones.length > 0 && { milestones: move.milestones };
  if ('reason' in move) {
    return { from, trigger, to, event: 'journey.rejected', reason: move.reason, ...told };
  }
  return { from, trigger, to, ...('event' in move && { event: move.event.name }), ...told };
}

function abandonment(from: JourneyState): TransitionRule {
  return { from, trigger: 'WENT_IDLE', to: 'ABANDONED', event: 'journey.abandoned' };
}

/** The applicant stops. */
function withdrawal(from: JourneyState): TransitionRule {
  const reason = 'CONSENT_WITHDRAWN';
  return { from, trigger: reason, to: 'ABANDONED', event: 'journey.abandoned', reason };
}

/** The chosen offer is let go for another one, on the hosted screens alone. */
function lettingGo(from: JourneyState): TransitionRule {
  return { from, trigger: 'OFFER_LET_GO', to: 'OFFERS_RECEIVED' };
}

/** What can happen to a journey until the agreement is signed: then the money is on its way. */
function beforeMoney(from: JourneyState): TransitionRule[] {
  const isChosen = stepOfState(from) !== 'OFFERS';
  return [...(isChosen ? [lettingGo(from)] : []), withdrawal(from), abandonment(from)];
}

/** How every journey begins. */
export const START = {
  trigger: 'STARTED',
  to: 'INITIATED',
  event: 'journey.initiated',
} as const satisfies { trigger: string; to: JourneyState; event: WebhookEventName };

/** Every move that a journey can make; what is not here cannot happen. */
export const TRANSITIONS: readonly TransitionRule[] = STEP_STATES.flatMap((state) => [
  ...state.moves.map((move) => ruleOf(state.name, move)),
  ...(state.isAbandonedWhenIdle ? beforeMoney(state.name) : []),
]);

/** A move that is legal: where it leads, and what it tells the partner and the applicant. */
export interface Transition {
  readonly to: JourneyState;
  readonly event?: WebhookEventName;
  readonly reason?: OutcomeReason;
  readonly milestones?: readonly Milestone[];
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
  const { event, reason, milestones } = rule;
  return to && { to, event, reason, milestones };
}

function stateAfter(state: JourneyState, steps: readonly JourneyStep[]): JourneyState | null {
  const step = stepOfState(state);
  const index = step === null ? -1 : steps.indexOf(step);
  const next = index < 0 ? undefined : steps[index + 1];
  return next ? STATE_OF_STEP[next] : null;
}
