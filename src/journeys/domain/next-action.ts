import { STEP_STATES } from '../../journey-steps/index.js';
import { JOURNEY_STATES, type JourneyState, type TerminalState } from './journey-state.js';
import type { Channel } from './journey.js';
import { TRANSITIONS, type Trigger } from './transition-table.js';

export const NEXT_ACTION_CATEGORIES = ['POLL', 'REDIRECT', 'ACTION', 'WAIT', 'DONE'] as const;

export interface NextAction {
  readonly type: string;
  readonly category: (typeof NEXT_ACTION_CATEGORIES)[number];
  readonly url?: string;
}

interface Position {
  readonly state: JourneyState;
  readonly channel: Channel;
  readonly isDeciding?: boolean;
}

const WAITING: NextAction = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

const OVER: Readonly<Record<TerminalState, NextAction>> = {
  SANCTIONED: { type: 'JOURNEY_COMPLETED', category: 'DONE' },
  REJECTED: { type: 'JOURNEY_REJECTED', category: 'DONE' },
  ABANDONED: { type: 'JOURNEY_ABANDONED', category: 'DONE' },
};

/** A redirect step's second action applies while its provider decides. */
const ACTIONS = Object.fromEntries([
  ...STEP_STATES.map(({ name, nextAction, whileDeciding }) => [name, [nextAction, whileDeciding]]),
  ...Object.entries(OVER).map(([state, action]) => [state, [action, null]]),
]) as Readonly<Record<JourneyState, readonly [NextAction | null, NextAction | null]>>;

export const HEADLESS_ACTIONS: readonly (NextAction & { readonly state: JourneyState })[] =
  JOURNEY_STATES.flatMap((state) =>
    ACTIONS[state].flatMap((action) => (action ? [{ ...action, state }] : [])),
  );

export const NEXT_ACTION_TYPES: readonly string[] = [
  WAITING.type,
  ...HEADLESS_ACTIONS.map(({ type }) => type),
];

export function nextActionOf(position: Position, redirectUrl?: string): NextAction {
  const [first, whileDeciding] = ACTIONS[position.state];
  // The partner waits while the applicant is on the hosted screens.
  if (first === null || (position.channel === 'API_HOSTED' && first.category !== 'DONE')) {
    return WAITING;
  }
  if (position.isDeciding && whileDeciding) return whileDeciding;
  const hasUrl = first.category === 'REDIRECT' && redirectUrl !== undefined;
  return hasUrl ? { ...first, url: redirectUrl } : first;
}

export function stateLines(): string {
  return JOURNEY_STATES.map((state) => `- \`${state}\` ${leadsTo(state)}`).join('\n');
}

export function nextActionLines(): string {
  const headless = HEADLESS_ACTIONS.map(
    ({ type, category, state }) =>
      `- \`${type}\` (${category}) in \`${state}\`, ${leadsTo(state, isOfEveryChannel)}`,
  );
  const hosted = '- `WAITING_FOR_REDIRECT` (WAIT) in every state of a hosted journey until it ends';
  return [...headless, hosted].join('\n');
}

/** The other triggers come from the hosted screens. */
function isOfEveryChannel({ trigger }: { trigger: Trigger }): boolean {
  return trigger !== 'OFFER_LET_GO' && trigger !== 'CONSENT_WITHDRAWN';
}

function leadsTo(
  state: JourneyState,
  isMeant: (rule: (typeof TRANSITIONS)[number]) => boolean = () => true,
): string {
  const rules = TRANSITIONS.filter((rule) => rule.from === state && isMeant(rule));
  const targets = rules.map(({ to }) =>
    to === 'NEXT_STEP' ? 'the state of the product’s next step' : `\`${to}\``,
  );
  return targets.length === 0 ? 'is final' : `leads to ${[...new Set(targets)].join(', ')}`;
}
