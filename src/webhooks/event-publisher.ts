import { Injectable } from '@nestjs/common';
import { IdGenerator, type Tx } from '../platform/index.js';
import { DeliveriesDue } from './deliveries-due.js';
import { eventBody, type PublishedEvent } from './published-event.js';

interface Recipient {
  id: string;
  isActive: boolean;
}

/** Puts events on their way to whoever subscribed to them. */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly ids: IdGenerator,
    private readonly due: DeliveriesDue,
  ) {}

  /**
   * Writes an event and a delivery for each subscription of the partner that wants it, in the
   * transaction of the change that it tells of: both are there, or neither. The sender is woken
   * after the commit.
   * @throws QueryFailedError when the journey has an event of this sequence number already
   */
  async publish(tx: Tx, event: PublishedEvent): Promise<void> {
    const id = this.ids.next('evt');
    const recipients = await tx.query<Recipient>(RECIPIENTS, [event.partnerId, event.name]);
    await tx.execute(WRITE, [
      id,
      event.partnerId,
      event.journeyId,
      event.name,
      event.sequence,
      eventBody(id, event),
      event.createdAt,
      recipients.map(() => this.ids.next('dlv')),
      recipients.map((recipient) => recipient.id),
      recipients.map(({ isActive }) => (isActive ? 'PENDING' : 'PAUSED')),
    ]);
    if (recipients.some(({ isActive }) => isActive)) tx.afterCommit(() => this.due.raise());
  }
}

// Takes no lock: a subscription that is deleted, paused or enabled at this very moment is put right
// when deliveries are claimed, and by the reconciliation.
const RECIPIENTS = `
  SELECT id, is_active AS "isActive" FROM webhook_subscriptions
  WHERE partner_id = $1 AND deleted_at IS NULL AND (events IS NULL OR $2 = ANY (events))
`;

const WRITE = `
  WITH event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
  )
  INSERT INTO webhook_deliveries
    (id, partner_id, subscription_id, event_id, status, next_attempt_at, created_at)
  SELECT r.id, $2, r.subscription_id, $1, r.status, app_now(), app_now()
  FROM unnest($8::text[], $9::text[], $10::text[]) AS r (id, subscription_id, status)
`;
