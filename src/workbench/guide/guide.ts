import { INSTANT_LEAD_STATUSES } from '../../journeys/index.js';
import { REDIRECT_DEFINITIONS, STEP_STATES } from '../../journey-steps/index.js';
import { JOURNEY_STATES, OUTCOME_REASONS } from '../../journeys/index.js';
import { STANDINGS_WITHOUT_OFFER } from '../../matching/index.js';
import { ALERT_KINDS, DELIVERY_STATUSES, EVENT_KINDS, LEAD_EVENT } from '../../webhooks/index.js';
import { ERROR_CATALOGUE, WORKBENCH_PATH } from '../../platform/index.js';
import {
  CALL_MEANINGS,
  CATEGORIES,
  DELIVERY_MEANINGS,
  FAILURE_MEANINGS,
  INSTANT_MEANINGS,
  LAST_STATES,
  MOVE_MEANINGS,
  REASON_MEANINGS,
  REDIRECT_MEANINGS,
  STANDING_MEANINGS,
  VISIT_MEANINGS,
} from './guide-texts.js';

interface GuideTerm {
  readonly anchor: string;
  readonly name: string;
  readonly meaning: string;
}

interface GuideSection {
  readonly anchor: string;
  readonly title: string;
  readonly lead: string;
  readonly terms: readonly GuideTerm[];
}

export type GuideArea =
  | 'state'
  | 'move'
  | 'reason'
  | 'lender'
  | 'redirect'
  | 'visit'
  | 'event'
  | 'delivery'
  | 'failure'
  | 'instant'
  | 'call';

function termsOf(
  area: GuideArea,
  meanings: Iterable<readonly [name: string, meaning: string]>,
): GuideTerm[] {
  return [...new Map(meanings)].map(([name, meaning]) => ({
    anchor: `${area}-${name}`,
    name,
    meaning,
  }));
}

function section(
  area: GuideArea,
  title: string,
  lead: string,
  meanings: Iterable<readonly [string, string]>,
): GuideSection {
  return { anchor: area, title, lead, terms: termsOf(area, meanings) };
}

function stateMeanings(): [string, string][] {
  const ofSteps = new Map(
    STEP_STATES.map(({ name, nextAction }): [string, string] => [
      name,
      nextAction
        ? `Next action ${nextAction.type} (${nextAction.category}): ${CATEGORIES[nextAction.category]}.`
        : 'The fee is paid, and the lender decides on the instant loan.',
    ]),
  );
  return JOURNEY_STATES.map((state) => [state, ofSteps.get(state) ?? LAST_STATES[state] ?? '']);
}

function moveMeanings(): [string, string][] {
  const redirects = REDIRECT_DEFINITIONS.map(({ passed, name }): [string, string] => [
    passed,
    `The lender’s provider reported ${name} as done.`,
  ]);
  const ofSteps = STEP_STATES.flatMap(({ moves }) =>
    moves.map((move): [string, string] => [
      move.trigger,
      'reason' in move
        ? `The journey ended. ${reasonMeaning(move.reason)}`
        : 'event' in move
          ? `${move.event.meaning}.`
          : `The journey moved to the next step.`,
    ]),
  );
  return [...ofSteps, ...redirects, ...Object.entries(MOVE_MEANINGS)];
}

function reasonMeaning(reason: string): string {
  const step = REDIRECT_DEFINITIONS.find((definition) => definition.reason === reason);
  const refused = step && `${step.name} was refused permanently, or failed ${step.maxTries} times.`;
  return REASON_MEANINGS[reason] ?? refused ?? reason;
}

export const GUIDE: readonly GuideSection[] = [
  section(
    'state',
    'States of a journey',
    'A journey’s states, and what to do in each. GET /journey/{journeyId} returns them as state and currentNextAction.',
    stateMeanings(),
  ),
  section('move', 'Moves', 'What changed a journey’s state.', moveMeanings()),
  section(
    'reason',
    'Outcome reasons',
    'Why a journey ended without a loan: outcomeReason.',
    OUTCOME_REASONS.map((reason) => [reason, reasonMeaning(reason)]),
  ),
  section(
    'lender',
    'Lenders’ answers',
    'The result of each lender when the offers were displayed.',
    [
      ['OFFER', 'The lender made an offer whose figures passed our check.'],
      ...STANDINGS_WITHOUT_OFFER.map((name) => [name, STANDING_MEANINGS[name]] as const),
    ],
  ),
  section(
    'redirect',
    'Redirects',
    'The applicant’s visit to the lender’s provider.',
    Object.entries(REDIRECT_MEANINGS),
  ),
  section(
    'visit',
    'Hosted visits',
    'The applicant’s visits to our screens, in a hosted journey.',
    Object.entries(VISIT_MEANINGS),
  ),
  section(
    'event',
    'Events',
    'Events sent to your webhooks. They can arrive twice and out of order: deduplicate by id, and compare the sequence. Alerts have no sequence, and go only to webhooks that name them.',
    [...EVENT_KINDS, LEAD_EVENT, ...ALERT_KINDS].map(({ name, meaning }) => [name, `${meaning}.`]),
  ),
  section(
    'delivery',
    'Deliveries',
    'The status of an event at one address.',
    DELIVERY_STATUSES.map((status) => [status, DELIVERY_MEANINGS[status]]),
  ),
  section(
    'failure',
    'Failed attempts',
    'Why a delivery attempt failed.',
    Object.entries(FAILURE_MEANINGS),
  ),
  section(
    'instant',
    'Instant loans',
    'The status of an instant loan’s application (its lead).',
    INSTANT_LEAD_STATUSES.map((status) => [status, INSTANT_MEANINGS[status]]),
  ),
  section('call', 'Calls', 'How your call ended: the error code.', [
    ...Object.entries(CALL_MEANINGS),
    ...Object.entries(ERROR_CATALOGUE).map(([code, { message }]) => [code, `${message}.`] as const),
  ]),
];

const TERMS = new Map(GUIDE.flatMap(({ terms }) => terms.map((term) => [term.anchor, term])));

/** For another release's word, returns the guide's section. */
export function explained(area: GuideArea, name: string): { meaning: string; guide: string } {
  const term = TERMS.get(`${area}-${name}`);
  return {
    meaning: term?.meaning ?? '',
    guide: `${WORKBENCH_PATH}/guide#${term?.anchor ?? area}`,
  };
}
