import { JOURNEY_STATES, type JourneyState } from './journey-state.js';
import { HEADLESS_ACTIONS } from './next-action.js';
import { TRANSITIONS } from './transition-table.js';

/** Each state with what it leads to, a line of Markdown each, for the API document. */
export function stateLines(): string {
  return JOURNEY_STATES.map((state) => `- \`${state}\` ${leadsTo(state)}`).join('\n');
}

/** The same for each next action, with the state that it belongs to. */
export function nextActionLines(): string {
  const headless = HEADLESS_ACTIONS.map(
    ({ type, category, state }) => `- \`${type}\` (${category}) in \`${state}\`, ${leadsTo(state)}`,
  );
  const hosted =
    '- `WAITING_FOR_REDIRECT` (WAIT) in every state of a hosted journey until it is over';
  return [...headless, hosted].join('\n');
}

function leadsTo(state: JourneyState): string {
  const targets = TRANSITIONS.filter(({ from }) => from === state).map(({ to }) =>
    to === 'NEXT_STEP' ? 'the state of the product’s next step' : `\`${to}\``,
  );
  return targets.length === 0 ? 'is the end' : `leads to ${[...new Set(targets)].join(', ')}`;
}
