import type { Channel } from './journey.js';
import { STEP_STATES } from '../../journey-steps/index.js';
import { JOURNEY_STATES, type JourneyState, type TerminalState } from './journey-state.js';

export const NEXT_ACTION_CATEGORIES = ['POLL', 'REDIRECT', 'ACTION', 'WAIT', 'DONE'] as const;

/** What the caller should do now. */
export interface NextAction {
  readonly type: string;
  readonly category: (typeof NEXT_ACTION_CATEGORIES)[number];
  readonly url?: string;
}

interface Position {
  readonly state: JourneyState;
  readonly channel: Channel;
  /** Whether the applicant is done at the provider of a redirect step and it has not decided. */
  readonly isDeciding?: boolean;
}

const WAITING: NextAction = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

const OVER: Readonly<Record<TerminalState, NextAction>> = {
  SANCTIONED: { type: 'JOURNEY_COMPLETED', category: 'DONE' },
  REJECTED: { type: 'JOURNEY_REJECTED', category: 'DONE' },
  ABANDONED: { type: 'JOURNEY_ABANDONED', category: 'DONE' },
};

/** By state; of a redirect step the second holds while its provider decides. */
const ACTIONS = Object.fromEntries([
  ...STEP_STATES.map(({ name, nextAction, whileDeciding }) => [name, [nextAction, whileDeciding]]),
  ...Object.entries(OVER).map(([state, action]) => [state, [action, null]]),
]) as Readonly<Record<JourneyState, readonly [NextAction, NextAction | null]>>;

/** Every next action of a headless journey with the state that it belongs to, in order. */
export const HEADLESS_ACTIONS: readonly (NextAction & { readonly state: JourneyState })[] =
  JOURNEY_STATES.flatMap((state) =>
    ACTIONS[state].flatMap((action) => (action ? [{ ...action, state }] : [])),
  );

/** Every type of next action that there is. */
export const NEXT_ACTION_TYPES: readonly string[] = [
  WAITING.type,
  ...HEADLESS_ACTIONS.map(({ type }) => type),
];

/** The next action of a journey; `redirectUrl` is where its current redirect step is opened. */
export function nextActionOf(position: Position, redirectUrl?: string): NextAction {
  const [first, whileDeciding] = ACTIONS[position.state];
  // The partner waits for an applicant who is on our screens, whatever screen that is.
  if (position.channel === 'API_HOSTED' && first.category !== 'DONE') return WAITING;
  if (position.isDeciding && whileDeciding) return whileDeciding;
  const hasUrl = first.category === 'REDIRECT' && redirectUrl !== undefined;
  return hasUrl ? { ...first, url: redirectUrl } : first;
}
