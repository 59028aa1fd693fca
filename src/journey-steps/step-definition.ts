/**
 * `EVERY_LOAN`: required, except for instant loans. `GOLD_LOANS_ALONE`, `INSTANT_LOANS_ALONE`:
 * required for these, refused for others. `OPTIONAL`: the operator decides.
 */
export type StepNeed = 'EVERY_LOAN' | 'GOLD_LOANS_ALONE' | 'INSTANT_LOANS_ALONE' | 'OPTIONAL';

export interface StepEvent {
  readonly name: `journey.${string}`;
  /** For the API document. */
  readonly meaning: string;
}

interface StepMove {
  readonly trigger: string;
  /** A state, or `NEXT_STEP`: the first state of the next step. */
  readonly to: string;
  readonly event?: StepEvent;
  readonly reason?: string;
  /** SMS to a hosted journey's applicant, each at most once. */
  readonly milestones?: readonly string[];
}

interface StepAction {
  readonly type: string;
  readonly category: 'POLL' | 'REDIRECT' | 'ACTION';
}

interface StepState {
  readonly name: string;
  /** Null: only hosted journeys have the step. */
  readonly nextAction: StepAction | null;
  /** Next action of a redirect step while the provider decides. */
  readonly whileDeciding: StepAction | null;
  readonly moves: readonly StepMove[];
  readonly isAbandonedWhenIdle: boolean;
  /** Whether the applicant can stop or choose another offer. */
  readonly mayBeLeft: boolean;
  /** Below `/hosted/`; null where the state does not determine it. */
  readonly page: string | null;
}

export interface StepDefinition {
  readonly name: string;
  readonly need: StepNeed;
  /** The step begins in the first. */
  readonly states: readonly [StepState, ...StepState[]];
  /** The kind of question to the lender. */
  readonly question: string | null;
  /** Counted as "Question 3 of 9". */
  readonly questionPages: readonly string[];
}
