import { Inject, Injectable, Logger } from '@nestjs/common';
import { LenderUnavailable } from '../../lenders/index.js';
import { ServiceSettings } from '../../settings/index.js';
import {
  Clock,
  Database,
  exponentialBackoff,
  Fault,
  isConnectionLost,
  logFailure,
  RandomSource,
  type Tx,
} from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import {
  type ActionHandler,
  type ActionOutcome,
  OutcomeUnknown,
  type PreparedAction,
} from './action-handler.js';
import type { ActionKind } from '../../journey-steps/index.js';
import { type Intent, IntentsRepository } from '../store/intents.repository.js';

export const ACTION_HANDLERS = Symbol('action handlers');

/** A waiting caller may trigger an early retry, at most this often. */
const RETRY_PAUSE_SECONDS = 3;
const ASKED_AGAIN = { firstMs: 5_000, maxMs: 60_000, jitter: 0.2 };

/**
 * Records the intent and the lease, calls the lender, then records the outcome while the lease holds. So a journey
 * has at most one action in flight, over all replicas. An interrupted action is resolved before the next.
 */
@Injectable()
export class SubmitActionService {
  private readonly logger = new Logger(SubmitActionService.name);
  private readonly handlers: ReadonlyMap<ActionKind, ActionHandler>;

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly intents: IntentsRepository,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
    private readonly random: RandomSource,
    @Inject(ACTION_HANDLERS) handlers: readonly ActionHandler[],
  ) {
    this.handlers = new Map(handlers.map((handler) => [handler.kind, handler]));
  }

  /**
   * @returns the journey after the action
   * @throws Fault wrong_step, action_in_flight (409); a 400 for an unsuitable payload; lender_unavailable (503) when
   * nothing has changed
   */
  async submit(seen: Journey, kind: ActionKind, payload: object): Promise<Journey> {
    await this.resolveOrphan(seen, RETRY_PAUSE_SECONDS);
    const journey = await this.read(seen);
    const handler = this.handler(kind);
    await this.requireOpen(handler, journey, payload);
    if (journey.leaseUntil !== null && journey.leaseUntil > this.clock.now()) {
      throw new Fault('action_in_flight');
    }
    const prepared = await handler.prepare(journey, payload);
    const intent = await this.intents.open(journey, kind, payload, prepared.lenderCode);
    if (!intent) throw await this.whyNot(journey);
    const refusal = await this.carryOut(journey, intent, prepared);
    if (refusal) throw refusal;
    return this.read(journey);
  }

  /**
   * Completes or withdraws an interrupted action, or one with an unknown outcome.
   * @param pauseSeconds the pause before its lender is asked again
   * @throws Fault lender_unavailable while the outcome is unknown: the action stays open until the lender's deadline
   */
  async resolveOrphan(journey: Journey, pauseSeconds = 0): Promise<void> {
    const intent = await this.intents.takeOver(journey, pauseSeconds);
    if (!intent) return;
    const msg = 'finishing an action that its process left unfinished';
    this.logger.warn({ intent: intent.id, journey: journey.id, msg });
    const handler = this.handler(intent.kind);
    try {
      await handler.beforeTakenUp?.(await this.read(journey), intent.payload);
      const current = await this.read(journey);
      await this.requireOpen(handler, current, intent.payload);
      const prepared = await handler.prepare(current, intent.payload);
      await this.carryOut(current, intent, prepared);
    } catch (error) {
      // Only a response proves that the lender did not act.
      const mayHaveActed =
        isUnknown(error) || (intent.isLenderNotified && !(error instanceof Fault));
      if (mayHaveActed && !(await this.isGivenUp(intent))) throw error;
      // No caller waits, so an action that cannot be completed is withdrawn.
      await this.withdraw(journey, intent);
      if (!(error instanceof Fault)) throw error;
    }
  }

  /**
   * When the applicant stops: withdraws an action with an unknown outcome. Notifies its lender instead of asking
   * again.
   * @param journey locked
   */
  async withdrawOpen(tx: Tx, journey: Journey): Promise<void> {
    const intent = await this.intents.takeOverIn(tx, journey);
    if (intent) await this.end(tx, journey, intent);
  }

  private async isGivenUp({ createdAt }: Intent): Promise<boolean> {
    const { lenderGiveUpSeconds } = await this.settings.operating();
    return this.clock.now().getTime() - createdAt.getTime() > lenderGiveUpSeconds * 1_000;
  }

  private async carryOut(
    journey: Journey,
    intent: Intent,
    prepared: PreparedAction,
  ): Promise<Fault | null> {
    let outcome: ActionOutcome;
    try {
      outcome = await prepared.call(intent);
    } catch (error) {
      const mayHaveActed = error instanceof OutcomeUnknown;
      if (mayHaveActed || intent.isLenderNotified) await this.leaveOpen(intent, error);
      else await this.withdraw(journey, intent);
      throw mayHaveActed || error instanceof LenderUnavailable ? notKnown(error) : error;
    }
    try {
      return await this.database.transaction((tx) => this.record(tx, journey, intent, outcome));
    } catch (error) {
      // After a certain rollback the lease need not expire.
      if (!isConnectionLost(error)) {
        if (outcome.isBinding) await this.leaveOpen(intent, error);
        else await this.withdraw(journey, intent);
      }
      if (!outcome.isBinding || error instanceof Fault) throw error;
      logFailure(this.logger, error, { journeyId: journey.id, intent: intent.id });
      throw notKnown(new OutcomeUnknown({ cause: error }));
    }
  }

  private async record(
    tx: Tx,
    seen: Journey,
    intent: Intent,
    outcome: ActionOutcome,
  ): Promise<Fault | null> {
    const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
    // The intent was taken over: this outcome is void.
    if (!journey || journey.leaseToken !== intent.fence) throw new Fault('action_in_flight');
    if (!(await isOpen(tx, this.handler(intent.kind), journey, intent.payload))) {
      await this.end(tx, journey, intent);
      return new Fault('wrong_step');
    }
    const refusal = await outcome.record(tx, journey);
    await this.intents.close(tx, intent, 'COMPLETED');
    return refusal;
  }

  private leaveOpen(intent: Intent, error: unknown): Promise<void> {
    const backoff = exponentialBackoff(intent.timesAsked + 1, ASKED_AGAIN, this.random.fraction());
    return this.intents.leaveOpen(intent, Math.max(backoff, waitAskedFor(error)));
  }

  private withdraw(seen: Journey, intent: Intent): Promise<void> {
    return this.database.transaction(async (tx) => {
      const journey = await this.journeys.lock(tx, seen.partnerId, seen.id);
      if (journey) await this.end(tx, journey, intent);
    });
  }

  private async end(tx: Tx, journey: Journey, intent: Intent): Promise<void> {
    const { wasLenderNotified } = await this.intents.close(tx, intent, 'WITHDRAWN');
    if (wasLenderNotified) await this.handler(intent.kind).undo?.(tx, journey, intent);
  }

  private async requireOpen(
    handler: ActionHandler,
    journey: Journey,
    payload: object,
  ): Promise<void> {
    if (journey.state === handler.state) return;
    if (await this.database.transaction((tx) => isOpen(tx, handler, journey, payload))) return;
    throw new Fault('wrong_step');
  }

  private async whyNot(seen: Journey): Promise<Fault> {
    const journey = await this.read(seen);
    return new Fault(journey.state === seen.state ? 'action_in_flight' : 'wrong_step');
  }

  private async read(journey: Journey): Promise<Journey> {
    const found = await this.journeys.find(journey.partnerId, journey.id);
    if (!found) throw new Fault('journey_not_found');
    return found;
  }

  private handler(kind: ActionKind): ActionHandler {
    const handler = this.handlers.get(kind);
    if (!handler) throw new Error(`no handler for ${kind}`);
    return handler;
  }
}

async function isOpen(
  tx: Tx,
  handler: ActionHandler,
  journey: Journey,
  payload: object,
): Promise<boolean> {
  if (journey.state === handler.state) return true;
  return (await handler.isOpenElsewhere?.(tx, journey, payload)) ?? false;
}

function isUnknown(error: unknown): boolean {
  return error instanceof Fault && error.cause instanceof OutcomeUnknown;
}

function waitAskedFor(error: unknown): number {
  const cause = error instanceof OutcomeUnknown ? error.cause : error;
  return cause instanceof LenderUnavailable ? (cause.askAgainInMs ?? 0) : 0;
}

function notKnown(cause: unknown): Fault {
  return new Fault('lender_unavailable', { retryAfterSeconds: 5, cause });
}
