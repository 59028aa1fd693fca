import { Injectable, Module } from '@nestjs/common';
import { IdGenerator, type Tx } from '../../platform/index.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { WebhookEventName } from '../domain/webhook-events.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveriesRepository } from '../store/deliveries.repository.js';
import { EventsRepository, type OutgoingEvent } from '../store/events.repository.js';

/** Puts events on their way to whoever subscribed to them. */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly ids: IdGenerator,
    private readonly wakeUp: SenderWakeUp,
    private readonly events: EventsRepository,
  ) {}

  /**
   * Writes an event and a delivery for each subscription of the partner that wants it, in the
   * transaction of the change that it tells of: both are there, or neither. The sender is woken
   * after the commit.
   * @throws QueryFailedError when the journey has an event of this sequence number already
   */
  async publish(tx: Tx, event: PublishedEvent): Promise<void> {
    await this.publishAll(tx, [event]);
  }

  /**
   * The same for the events of several journeys.
   * @returns what was written, in the same order: its digest belongs in the audit
   */
  async publishAll(tx: Tx, published: readonly PublishedEvent[]): Promise<OutgoingEvent[]> {
    const events = published.map((event) => {
      const { partnerId, journeyId, name, sequence, createdAt } = event;
      const id = this.ids.next('evt');
      const body = eventBody(id, event);
      const aboutSubscription = null;
      return { id, partnerId, journeyId, name, sequence, body, createdAt, aboutSubscription };
    });
    await this.send(tx, events);
    return events;
  }

  /** The same for events that have their bodies. */
  async send(tx: Tx, events: readonly OutgoingEvent[]): Promise<void> {
    const recipients = await this.events.recipients(tx, events);
    const deliveries = recipients.map(({ ordinal, subscriptionId }) => {
      const { id: eventId, partnerId } = events[ordinal - 1];
      return { id: this.ids.next('dlv'), partnerId, subscriptionId, eventId };
    });
    await this.events.insert(tx, events, deliveries);
    if (recipients.length > 0) tx.afterCommit(() => this.wakeUp.raise());
  }
}

/** What the partner shall do next; without the URL of a redirect, which opens the applicant's session. */
export interface EventNextAction {
  readonly type: string;
  readonly category: string;
}

/** An event as its journey hands it over; no personal data belongs in it. */
export interface PublishedEvent {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly applicationId: string;
  readonly name: WebhookEventName;
  /** Counts the journey's events from 1. */
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: {
    readonly productCode: string;
    readonly channel: string;
    readonly state: string;
    readonly nextAction: EventNextAction;
    readonly outcome: string;
  };
}

/**
 * The body of every delivery of an event. It is made once and kept as text, so that all attempts
 * send, and sign, the same bytes. Fields are picked one by one: what else a caller's object may
 * hold does not leave the service.
 */
function eventBody(id: string, event: PublishedEvent): string {
  const { productCode, channel, state, nextAction, outcome } = event.data;
  return JSON.stringify({
    id,
    event: event.name,
    createdAt: event.createdAt.toISOString(),
    apiVersion: 'v1',
    sequence: event.sequence,
    journeyId: event.journeyId,
    applicationId: event.applicationId,
    data: {
      productCode,
      channel,
      state,
      nextAction: { type: nextAction.type, category: nextAction.category },
      outcome,
    },
  });
}

/** Putting events and deliveries on their way, without the sender: what a command line may do. */
@Module({
  providers: [
    EventsRepository,
    DeliveriesRepository,
    EventPublisher,
    SenderWakeUp,
    DeliveriesService,
  ],
  exports: [DeliveriesRepository, EventPublisher, SenderWakeUp, DeliveriesService],
})
export class EventsModule {}
