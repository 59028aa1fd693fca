import { BANK_ACCOUNT } from './bank-account.js';
import { BRANCH } from './branch.js';
import { DECISION } from './decision.js';
import { DISBURSEMENT } from './disbursement.js';
import { ESIGN } from './esign.js';
import { FEE } from './fee.js';
import { KYC } from './kyc.js';
import { MANDATE } from './mandate.js';
import { OFFERS } from './offers.js';
import type { StepDefinition } from './step-definition.js';

/** In journey order. */
export const STEP_DEFINITIONS = [
  OFFERS,
  BRANCH,
  FEE,
  KYC,
  BANK_ACCOUNT,
  MANDATE,
  ESIGN,
  DECISION,
  DISBURSEMENT,
] as const satisfies readonly StepDefinition[];

type Definition = (typeof STEP_DEFINITIONS)[number];
type RedirectDefinition = Extract<Definition, { redirect: unknown }>['redirect'];
type State = Definition['states'][number];
type Move = State['moves'][number];

export type JourneyStep = Definition['name'];
export type RedirectStep = RedirectDefinition['name'];
/** A step with a Rinpath link to a provider or to the fee's payment. */
export type LinkedStep = RedirectStep | typeof FEE.name;
type StepQuestion = NonNullable<Definition['question']>;
export type StepStateName = State['name'];
export type StepTrigger = Move['trigger'];
export type StepEventName = Extract<Move, { event: unknown }>['event']['name'];
export type StepOutcomeReason = Extract<Move, { reason: unknown }>['reason'];
/** An SMS to a hosted journey's applicant. */
export type Milestone = Extract<Move, { milestones: unknown }>['milestones'][number];
export type RedirectOutcomeReason = RedirectDefinition['reason'];
export type ActionKind = Extract<State['nextAction'], { category: 'ACTION' }>['type'];
export type StepQuestionPage = Definition['questionPages'][number];

export const JOURNEY_STEPS: readonly JourneyStep[] = STEP_DEFINITIONS.map(({ name }) => name);

export function stepDefinition(step: JourneyStep): Definition {
  return STEP_DEFINITIONS.find(({ name }) => name === step)!;
}

export const STEP_STATES = STEP_DEFINITIONS.flatMap<State>(({ states }) => states);

const moves = STEP_STATES.flatMap<Move>((state) => state.moves);

/** Two moves may share one. */
export const STEP_EVENTS: readonly { readonly name: StepEventName; readonly meaning: string }[] = [
  ...new Set(moves.flatMap((move) => ('event' in move ? [move.event] : []))),
];

export const STEP_OUTCOME_REASONS: readonly StepOutcomeReason[] = moves.flatMap((move) =>
  'reason' in move ? [move.reason] : [],
);

export const MILESTONES: readonly Milestone[] = moves.flatMap<Milestone>((move) =>
  'milestones' in move ? move.milestones : [],
);

export const ACTION_KINDS: readonly ActionKind[] = STEP_STATES.flatMap(({ nextAction }) =>
  nextAction?.category === 'ACTION' ? [nextAction.type] : [],
);

export const STEP_QUESTIONS: readonly StepQuestion[] = STEP_DEFINITIONS.flatMap(({ question }) =>
  question === null ? [] : [question],
);

export const REDIRECT_DEFINITIONS: readonly RedirectDefinition[] = STEP_DEFINITIONS.flatMap(
  (definition) => ('redirect' in definition ? [definition.redirect] : []),
);

export const REDIRECT_STEPS: readonly RedirectStep[] = REDIRECT_DEFINITIONS.map(({ name }) => name);

export const LINKED_STEPS: readonly LinkedStep[] = JOURNEY_STEPS.filter(
  (step) => step === FEE.name || isRedirectStep(step),
);

export function isLinkedStep(name: unknown): name is LinkedStep {
  return LINKED_STEPS.some((step) => step === name);
}

export function isRedirectStep(name: unknown): name is RedirectStep {
  return REDIRECT_STEPS.some((step) => step === name);
}

export function redirectDefinition(step: RedirectStep): RedirectDefinition {
  return REDIRECT_DEFINITIONS.find(({ name }) => name === step)!;
}
