export { BANK_ACCOUNT } from './bank-account.js';
export { ESIGN } from './esign.js';
export {
  isRedirectStep,
  JOURNEY_STEPS,
  type JourneyStep,
  type Milestone,
  MILESTONES,
  REDIRECT_DEFINITIONS,
  REDIRECT_STEPS,
  redirectDefinition,
  type RedirectOutcomeReason,
  type RedirectStep,
  STEP_ACTION_KINDS,
  STEP_DEFINITIONS,
  STEP_EVENTS,
  STEP_OUTCOME_REASONS,
  STEP_QUESTIONS,
  STEP_STATES,
  stepDefinition,
  type StepActionKind,
  type StepEventName,
  type StepOutcomeReason,
  type StepQuestion,
  type StepQuestionPage,
  type StepStateName,
  type StepTrigger,
} from './journey-steps.js';
export { MANDATE } from './mandate.js';
