import {
  isRedirectStep,
  type JourneyStep,
  type RedirectStep,
  STEP_DEFINITIONS,
  STEP_OUTCOME_REASONS,
  STEP_STATES,
  type StepOutcomeReason,
  type StepStateName,
} from '../../journey-steps/index.js';

const TERMINAL_STATES = ['SANCTIONED', 'REJECTED', 'ABANDONED'] as const;

export type TerminalState = (typeof TERMINAL_STATES)[number];

export type JourneyState = StepStateName | TerminalState;

export const JOURNEY_STATES: readonly JourneyState[] = [
  ...STEP_STATES.map(({ name }) => name),
  ...TERMINAL_STATES,
];

export type OutcomeReason = StepOutcomeReason | 'CONSENT_WITHDRAWN';

export const OUTCOME_REASONS: readonly OutcomeReason[] = [
  ...STEP_OUTCOME_REASONS,
  'CONSENT_WITHDRAWN',
];

export const OUTCOMES = ['IN_PROGRESS', ...TERMINAL_STATES] as const;

export type Outcome = (typeof OUTCOMES)[number];

export const STATE_OF_STEP = Object.fromEntries(
  STEP_DEFINITIONS.map(({ name, states }) => [name, states[0].name]),
) as Readonly<Record<JourneyStep, StepStateName>>;

const STEP_OF_STATE: ReadonlyMap<JourneyState, JourneyStep> = new Map(
  STEP_DEFINITIONS.flatMap(({ name: step, states }) =>
    states.map(({ name }) => [name, step] as const),
  ),
);

/** Inactivity does not abandon these. */
export const NEVER_IDLE: readonly JourneyState[] = [
  ...STEP_STATES.filter(({ isAbandonedWhenIdle }) => !isAbandonedWhenIdle).map(({ name }) => name),
  ...TERMINAL_STATES,
];

export function isTerminal(state: JourneyState): state is TerminalState {
  return TERMINAL_STATES.some((terminal) => terminal === state);
}

export function outcomeOf(state: JourneyState): Outcome {
  return isTerminal(state) ? state : 'IN_PROGRESS';
}

/** Null: the journey has ended. */
export function stepOfState(state: JourneyState): JourneyStep | null {
  return STEP_OF_STATE.get(state) ?? null;
}

export function isPast(
  { state, steps }: { readonly state: JourneyState; readonly steps: readonly JourneyStep[] },
  step: JourneyStep,
): boolean {
  const current = stepOfState(state);
  if (current === null || !steps.includes(step)) return false;
  return steps.indexOf(current) > steps.indexOf(step);
}

export function redirectStepOf(state: JourneyState): RedirectStep | null {
  const step = stepOfState(state);
  return isRedirectStep(step) ? step : null;
}
