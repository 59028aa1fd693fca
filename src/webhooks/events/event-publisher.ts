import { Injectable } from '@nestjs/common';
import { IdGenerator, type Tx } from '../../platform/index.js';
import { LEAD_EVENT, type WebhookEventName } from '../domain/webhook-events.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { EventsRepository, type OutgoingEvent } from '../store/events.repository.js';
import type { EventDataView, LeadChangeView } from './events.api.js';

@Injectable()
export class EventPublisher {
  constructor(
    private readonly ids: IdGenerator,
    private readonly wakeUp: SenderWakeUp,
    private readonly events: EventsRepository,
  ) {}

  /**
   * Writes the events and deliveries in the change's transaction; wakes the sender after the commit.
   * @returns the written events in the same order, for their digests in the audit
   * @throws QueryFailedError if the journey already has an event with this sequence number
   */
  async publishAll(tx: Tx, published: readonly PublishedEvent[]): Promise<OutgoingEvent[]> {
    const events = published.map((event) => {
      const { partnerId, journeyId, name, sequence, createdAt } = event;
      const id = this.ids.next('evt');
      const body = eventBody(id, event);
      const aboutSubscription = null;
      return {
        id,
        partnerId,
        journeyId,
        applicationId: null,
        name,
        sequence,
        body,
        createdAt,
        aboutSubscription,
      };
    });
    await this.write(tx, events);
    return events;
  }

  async publishLeads(tx: Tx, changes: readonly LeadChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.write(
      tx,
      changes.map((change) => {
        const { partnerId, applicationId, sequence, createdAt } = change;
        const id = this.ids.next('evt');
        return {
          id,
          partnerId,
          journeyId: null,
          applicationId,
          name: LEAD_EVENT.name,
          sequence,
          body: leadEventBody(id, change),
          createdAt,
          aboutSubscription: null,
        };
      }),
    );
  }

  /** For events that already have bodies. */
  async write(tx: Tx, events: readonly OutgoingEvent[]): Promise<void> {
    const recipients = await this.events.recipients(tx, events);
    const deliveries = recipients.map(({ ordinal, subscriptionId }) => {
      const { id: eventId, partnerId } = events[ordinal - 1];
      return { id: this.ids.next('dlv'), partnerId, subscriptionId, eventId };
    });
    await this.events.insert(tx, events, deliveries);
    if (recipients.length > 0) tx.afterCommit(() => this.wakeUp.raise());
  }
}

/** Must contain no personal data. */
export interface PublishedEvent {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly applicationId: string;
  readonly name: WebhookEventName;
  /** Counts the journey's events from 1. */
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: Readonly<EventDataView>;
}

/** Must contain no personal data. */
export interface LeadChange {
  readonly partnerId: string;
  readonly applicationId: string;
  readonly journeyId: string;
  /** Counts the lead's events from 1. */
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: Readonly<LeadChangeView>;
}

function leadEventBody(id: string, change: LeadChange): string {
  const { loanType, status, previousStatus, reason, clientReferenceId } = change.data;
  return JSON.stringify({
    id,
    event: LEAD_EVENT.name,
    createdAt: change.createdAt.toISOString(),
    apiVersion: 'v1',
    sequence: change.sequence,
    journeyId: change.journeyId,
    applicationId: change.applicationId,
    data: { loanType, status, previousStatus, reason, clientReferenceId },
  });
}

/**
 * Stored as text, so that all attempts send and sign the same bytes. Copies named fields only, so
 * that a caller's extra fields stay internal.
 */
function eventBody(id: string, event: PublishedEvent): string {
  const { productCode, channel, state, nextAction, outcome, outcomeReason, clientReferenceId } =
    event.data;
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
      outcomeReason,
      clientReferenceId,
    },
  });
}
