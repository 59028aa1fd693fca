import { JOURNEY_STATES, type JourneyState } from './journey-state.js';
import { HEADLESS_ACTIONS } from './next-action.js';
import { TRANSITIONS, type Trigger } from './transition-table.js';

/** Markdown for the API document. */
export function stateLines(): string {
  return JOURNEY_STATES.map((state) => `- \`${state}\` ${leadsTo(state)}`).join('\n');
}

export function nextActionLines(): string {
  const headless = HEADLESS_ACTIONS.map(
    ({ type, category, state }) =>
      `- \`${type}\` (${category}) in \`${state}\`, ${leadsTo(state, isOfEveryChannel)}`,
  );
  const hosted =
    '- `WAITING_FOR_REDIRECT` (WAIT) in every state of a hosted journey until it is over';
  return [...headless, hosted].join('\n');
}

/** The others are the applicant's moves on the hosted screens. */
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
  return targets.length === 0 ? 'is the end' : `leads to ${[...new Set(targets)].join(', ')}`;
}
