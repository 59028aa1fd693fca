import { Injectable } from '@nestjs/common';
import { IdGenerator, type Tx } from '../../platform/index.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { EventsRepository, type OutgoingEvent } from '../store/events.repository.js';
import { eventBody, type PublishedEvent } from './published-event.js';

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
