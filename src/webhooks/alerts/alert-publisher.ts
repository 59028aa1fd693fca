import { Injectable } from '@nestjs/common';
import { Clock, IdGenerator, type Tx } from '../../platform/index.js';
import { EventPublisher } from '../events/event-publisher.js';
import { AlertsRepository } from '../store/alerts.repository.js';
import { AlertEmails } from './alert-emails.js';
import { alertBody, type PublishedAlert } from './published-alert.js';

/** Tells partners of their webhooks and keys, each thing once. */
@Injectable()
export class AlertPublisher {
  constructor(
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    private readonly alerts: AlertsRepository,
    private readonly events: EventPublisher,
    private readonly emails: AlertEmails,
  ) {}

  /**
   * Writes an event for each alert that nobody has told yet, with its deliveries and its e-mail, in the transaction that
   * notes it as told: all are there, or none.
   */
  async publish(tx: Tx, alerts: readonly PublishedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const drafts = alerts.map((alert) => ({ alert, eventId: this.ids.next('evt') }));
    const noted = await this.alerts.note(
      tx,
      drafts.map(({ eventId, alert: { partnerId, name, subjectId, since } }) => ({
        partnerId,
        name,
        subjectId,
        since,
        eventId,
      })),
    );
    const isNew = new Set(noted);
    const createdAt = this.clock.now();
    const events = drafts
      .filter(({ eventId }) => isNew.has(eventId))
      .map(({ eventId: id, alert }) => ({
        id,
        partnerId: alert.partnerId,
        journeyId: null,
        name: alert.name,
        sequence: null,
        body: alertBody(id, alert, createdAt),
        createdAt,
        aboutSubscription: alert.subjectId,
      }));
    if (events.length === 0) return;
    await this.events.send(tx, events);
    await this.emails.put(tx, events);
  }
}
