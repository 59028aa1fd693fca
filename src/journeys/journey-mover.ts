import { Injectable } from '@nestjs/common';
import { Fault, Metrics, Tx } from '../platform/index.js';
import { LeadBook } from '../leads/index.js';
import { EventPublisher, type PublishedEvent, type WebhookEventName } from '../webhooks/index.js';
import { JourneyAudit } from './journey-audit.js';
import type { Journey } from './journey.js';
import { JourneysRepository, type JourneyChanges } from './journeys.repository.js';
import { StateEntry } from './state-entry.js';
import { isTerminal, outcomeOf } from './states/journey-state.js';
import { nextActionOf } from './states/next-action.js';
import { transition, type Trigger } from './states/transition-table.js';

/**
 * The one place where a journey changes its state: a conditional update, and in the same
 * transaction what entering the state brings about, the audit row, the lead and the event.
 */
@Injectable()
export class JourneyMover {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly entry: StateEntry,
    private readonly audit: JourneyAudit,
    private readonly leads: LeadBook,
    private readonly events: EventPublisher,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Makes the move of `trigger`, or throws.
   * @param changes further changes of the journey that belong to this move
   * @throws Fault wrong_step when the table has no such move, or another change came first
   */
  async move(
    tx: Tx,
    journey: Journey,
    trigger: Trigger,
    changes: JourneyChanges = {},
  ): Promise<Journey> {
    const next = transition(journey.state, trigger, journey.steps);
    if (!next) throw new Fault('wrong_step');
    const moved = await this.journeys.change(tx, journey, journey.state, {
      ...changes,
      state: next.to,
      redirectId: null,
      isReturned: false,
      stepFailures: 0,
      ...(next.reason && { outcomeReason: next.reason }),
      ...(next.event && { eventSequence: journey.eventSequence + 1 }),
    });
    if (!moved) throw new Fault('wrong_step');
    if (isTerminal(moved.state)) await this.finish(tx, moved);
    const entered = await this.entry.enter(tx, moved);
    await this.audit.record(tx, entered, trigger, journey.state);
    await this.leads.setStatus(tx, entered.partnerId, entered.applicationId, entered.state);
    if (next.event) await this.publish(tx, entered, next.event);
    tx.afterCommit(() => this.metrics.transitions.inc({ trigger, state: entered.state }));
    return entered;
  }

  /** Tells the partner of an event of the journey, under its current sequence number. */
  publish(tx: Tx, journey: Journey, name: WebhookEventName): Promise<void> {
    return this.publishAll(tx, [journey], name);
  }

  async publishAll(tx: Tx, journeys: readonly Journey[], name: WebhookEventName): Promise<void> {
    await this.events.publishAll(
      tx,
      journeys.map((journey) => eventOf(journey, name)),
    );
  }

  private async finish(tx: Tx, journey: Journey): Promise<void> {
    await tx.execute('UPDATE journeys SET finished_at = updated_at WHERE id = $1', [journey.id]);
  }
}

function eventOf(journey: Journey, name: WebhookEventName): PublishedEvent {
  return {
    partnerId: journey.partnerId,
    journeyId: journey.id,
    applicationId: journey.applicationId,
    name,
    sequence: journey.eventSequence,
    createdAt: journey.updatedAt,
    data: {
      productCode: journey.productCode,
      channel: journey.channel,
      state: journey.state,
      // Without the redirect's url: it opens the applicant's session, and an event is stored.
      nextAction: nextActionOf(journey),
      outcome: outcomeOf(journey.state),
    },
  };
}
