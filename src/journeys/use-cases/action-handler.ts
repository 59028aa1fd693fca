import type { Fault, Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { JourneyState } from '../domain/journey-state.js';
import type { ActionKind } from '../../journey-steps/index.js';
import type { Intent } from '../store/intents.repository.js';

/** An action that has been checked against the journey's data and can be carried out. */
export interface PreparedAction {
  /** Who is asked; left out when nobody is. */
  readonly lenderCode?: string;
  /**
   * Asks the lender, outside any transaction, with the intent's id as the idempotency key, and
   * answers how to record the outcome. Must end within the lease.
   * @throws LenderUnavailable when the answer is not known, and the lender did nothing in any case
   * @throws OutcomeUnknown when the lender may have acted on what it was asked
   */
  call(intent: Intent): Promise<ActionOutcome>;
}

/** Nobody knows whether the lender has acted on it: the intent stays open and is asked about again. */
export class OutcomeUnknown extends Error {
  constructor(options: ErrorOptions) {
    super('the lender may have acted on it', options);
    this.name = 'OutcomeUnknown';
  }
}

export interface ActionOutcome {
  /** Whether the lender has acted on it: what cannot be recorded now is then asked about again. */
  readonly isBinding?: boolean;
  /** Records the outcome; `journey` is locked and at the step. Answers a refusal to pass on. */
  record(tx: Tx, journey: Journey): Promise<Fault | null>;
}

/** One kind of action, in the phases that every action has. */
export interface ActionHandler<Intended extends object = object> {
  readonly kind: ActionKind;
  /** The state in which the action can be taken. */
  readonly state: JourneyState;

  /** Whether it can be taken in another state, too; left out: in none. */
  isOpenElsewhere?(tx: Tx, journey: Journey, payload: Intended): Promise<boolean>;

  /** Brings up to date what the action rests on before one that was cut short is gone on with. */
  beforeTakenUp?(journey: Journey, payload: Intended): Promise<void>;

  /** @throws Fault when the payload does not fit the journey's data; nothing has changed then */
  prepare(journey: Journey, payload: Intended): Promise<PreparedAction>;

  /** Of an action that is withdrawn: lets the lender know that may have acted on it; `journey` is locked. */
  undo?(tx: Tx, journey: Journey, intent: Intent): Promise<void>;
}
