import type { Fault, Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { JourneyState } from '../domain/journey-state.js';
import type { ActionKind } from '../../journey-steps/index.js';
import type { Intent } from '../store/intents.repository.js';

export interface PreparedAction {
  /** Absent: no lender is asked. */
  readonly lenderCode?: string;
  /**
   * Calls the lender, outside any transaction and within the lease; the intent's id is the idempotency key.
   * @throws LenderUnavailable when the lender did nothing
   * @throws OutcomeUnknown when the lender may have acted
   */
  call(intent: Intent): Promise<ActionOutcome>;
}

/** The intent stays open, and the lender is asked again. */
export class OutcomeUnknown extends Error {
  constructor(options: ErrorOptions) {
    super('the lender may have acted on it', options);
    this.name = 'OutcomeUnknown';
  }
}

export interface ActionOutcome {
  /** The lender has acted: if recording fails, it is asked again. */
  readonly isBinding?: boolean;
  /**
   * @param journey locked and at the step
   * @returns a refusal for the caller
   */
  record(tx: Tx, journey: Journey): Promise<Fault | null>;
}

export interface ActionHandler<Intended extends object = object> {
  readonly kind: ActionKind;
  readonly state: JourneyState;

  /** Whether the action is allowed in another state. */
  isOpenElsewhere?(tx: Tx, journey: Journey, payload: Intended): Promise<boolean>;

  /** Updates what the action depends on, before an interrupted one is resumed. */
  beforeTakenUp?(journey: Journey, payload: Intended): Promise<void>;

  /** @throws Fault when the payload does not fit the journey; nothing has changed */
  prepare(journey: Journey, payload: Intended): Promise<PreparedAction>;

  /**
   * For a lender that may have acted.
   * @param journey locked
   */
  undo?(tx: Tx, journey: Journey, intent: Intent): Promise<void>;
}
