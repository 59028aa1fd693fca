import { INSTANT_LEAD_STATUSES } from '../../journeys/index.js';
import { REDIRECT_DEFINITIONS, STEP_STATES } from '../../journey-steps/index.js';
import { JOURNEY_STATES, OUTCOME_REASONS } from '../../journeys/index.js';
import { STANDINGS_WITHOUT_OFFER } from '../../matching/index.js';
import { ALERT_KINDS, DELIVERY_STATUSES, EVENT_KINDS } from '../../webhooks/index.js';
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
        : 'The lender decides on the instant loan, whose fee is paid.',
    ]),
  );
  return JOURNEY_STATES.map((state) => [state, ofSteps.get(state) ?? LAST_STATES[state] ?? '']);
}

function moveMeanings(): [string, string][] {
  const redirects = REDIRECT_DEFINITIONS.map(({ passed, name }): [string, string] => [
    passed,
    `The lender’s provider says that ${name} is done.`,
  ]);
  const ofSteps = STEP_STATES.flatMap(({ moves }) =>
    moves.map((move): [string, string] => [
      move.trigger,
      'reason' in move
        ? `The journey ended. ${reasonMeaning(move.reason)}`
        : 'event' in move
          ? `${move.event.meaning}.`
          : `The journey went on from here.`,
    ]),
  );
  return [...ofSteps, ...redirects, ...Object.entries(MOVE_MEANINGS)];
}

function reasonMeaning(reason: string): string {
  const step = REDIRECT_DEFINITIONS.find((definition) => definition.reason === reason);
  const refused = step && `${step.name} was refused for good, or failed ${step.maxTries} times.`;
  return REASON_MEANINGS[reason] ?? refused ?? reason;
}

export const GUIDE: readonly GuideSection[] = [
  section(
    'state',
    'States of a journey',
    'Where a journey stands, and what to do there. GET /journey/{journeyId} answers it as state and currentNextAction.',
    stateMeanings(),
  ),
  section('move', 'Moves', 'What took a journey from one state to the next.', moveMeanings()),
  section(
    'reason',
    'Outcome reasons',
    'Why a journey ended without a loan: outcomeReason.',
    OUTCOME_REASONS.map((reason) => [reason, reasonMeaning(reason)]),
  ),
  section(
    'lender',
    'Lenders’ answers',
    'How each lender that was asked stood when the offers were shown.',
    [
      ['OFFER', 'The lender made an offer whose figures held when they were computed again.'],
      ...STANDINGS_WITHOUT_OFFER.map((name) => [name, STANDING_MEANINGS[name]] as const),
    ],
  ),
  section(
    'redirect',
    'Redirects',
    'The applicant’s way to the lender’s provider and back.',
    Object.entries(REDIRECT_MEANINGS),
  ),
  section(
    'visit',
    'Hosted visits',
    'The applicant’s way to our screens, in a hosted journey.',
    Object.entries(VISIT_MEANINGS),
  ),
  section(
    'event',
    'Events',
    'What your webhooks are told. Events may come twice and out of order: keep the id, and compare the sequence. Alerts have none, and go to the webhooks that name them.',
    [...EVENT_KINDS, ...ALERT_KINDS].map(({ name, meaning }) => [name, `${meaning}.`]),
  ),
  section(
    'delivery',
    'Deliveries',
    'What became of an event at one address.',
    DELIVERY_STATUSES.map((status) => [status, DELIVERY_MEANINGS[status]]),
  ),
  section(
    'failure',
    'Failed attempts',
    'Why an attempt did not count as delivered.',
    Object.entries(FAILURE_MEANINGS),
  ),
  section(
    'instant',
    'Instant loans',
    'Where an application for an instant loan stands: the status of its lead.',
    INSTANT_LEAD_STATUSES.map((status) => [status, INSTANT_MEANINGS[status]]),
  ),
  section('call', 'Calls', 'How a call of yours ended: the code of its failure.', [
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
