export { BANK_ACCOUNT } from './bank-account.js';
export { DECISION } from './decision.js';
export { ESIGN } from './esign.js';
export { FEE } from './fee.js';
export {
  ACTION_KINDS,
  type ActionKind,
  isLinkedStep,
  isRedirectStep,
  JOURNEY_STEPS,
  LINKED_STEPS,
  type LinkedStep,
  type JourneyStep,
  type Milestone,
  MILESTONES,
  REDIRECT_DEFINITIONS,
  REDIRECT_STEPS,
  redirectDefinition,
  type RedirectOutcomeReason,
  type RedirectStep,
  STEP_DEFINITIONS,
  STEP_EVENTS,
  STEP_OUTCOME_REASONS,
  STEP_QUESTIONS,
  STEP_STATES,
  stepDefinition,
  type StepEventName,
  type StepOutcomeReason,
  type StepQuestionPage,
  type StepStateName,
  type StepTrigger,
} from './journey-steps.js';
export { MANDATE } from './mandate.js';
export { OFFERS } from './offers.js';
