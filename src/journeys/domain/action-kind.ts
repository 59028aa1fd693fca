import { STEP_ACTION_KINDS, type StepActionKind } from '../../journey-steps/index.js';

/** What a partner can submit: the next actions of the category ACTION. */
export const ACTION_KINDS = STEP_ACTION_KINDS;

export type ActionKind = StepActionKind;
