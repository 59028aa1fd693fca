/**
 * Which loans a step belongs to. `EVERY_LOAN`: none is paid out without it. `GOLD_LOANS_ALONE`: those
 * against gold must have it, and no other may. `OPTIONAL`: as the operator likes.
 */
export type StepNeed = 'EVERY_LOAN' | 'GOLD_LOANS_ALONE' | 'OPTIONAL';

/** What a partner is told of by a webhook once a step is done. */
export interface StepEvent {
  readonly name: `journey.${string}`;
  /** For the API document. */
  readonly meaning: string;
}

/** A move that a journey can make; one that stands in no definition cannot happen. */
export interface StepMove {
  readonly trigger: string;
  /** Another state, or `NEXT_STEP`: the first state of the step that follows in the journey's own list. */
  readonly to: string;
  readonly event?: StepEvent;
  /** Of a move to `REJECTED`: the outcome reason. */
  readonly reason?: string;
  /** The texts by which the applicant of a hosted journey is told, once each, of what the move has brought. */
  readonly milestones?: readonly string[];
}

/** What a headless journey's caller should do. */
export interface StepAction {
  readonly type: string;
  readonly category: 'POLL' | 'REDIRECT' | 'ACTION';
}

/** A state in which a journey is at a step. */
export interface StepState {
  readonly name: string;
  readonly nextAction: StepAction;
  /** Of a redirect step: while the applicant is done at the provider and it has not decided. */
  readonly whileDeciding: StepAction | null;
  readonly moves: readonly StepMove[];
  /** Whether a journey that is left alone in this state is abandoned after a time. */
  readonly isAbandonedWhenIdle: boolean;
  /** The applicant's page below `/hosted/`; null where the journey alone does not tell which it is. */
  readonly page: string | null;
}

/** Everything that the service knows of a step of a journey beside what it does there. */
export interface StepDefinition {
  readonly name: string;
  readonly need: StepNeed;
  /** The first is the one in which the step begins. */
  readonly states: readonly [StepState, ...StepState[]];
  /** The kind of the durable question that a lender is asked at this step. */
  readonly question: string | null;
  /** The pages that ask the applicant for something, in order: they count as "Question 3 of 9". */
  readonly questionPages: readonly string[];
}
