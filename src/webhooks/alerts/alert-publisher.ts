import { Inject, Injectable, Logger } from '@nestjs/common';
import { PartnerAlertEmails } from '../../auth/index.js';
import {
  Clock,
  ENVIRONMENT,
  type Environment,
  IdGenerator,
  Mailer,
  messageOf,
  type Tx,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { AlertName } from '../domain/webhook-events.js';
import { EventPublisher } from '../events/event-publisher.js';
import { AlertEmailsRepository, type DueAlertEmail } from '../store/alert-emails.repository.js';
import { AlertsRepository } from '../store/alerts.repository.js';

/** `GONE`: it answered 410. `FAILING`: 20 failures in a row over three days. */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const;

/** What each alert tells; ids and numbers alone, since a webhook's address can hold a secret. */
interface AlertData {
  'webhook.endpoint_failing': {
    readonly subscriptionId: string;
    readonly failingSince: string;
    readonly failureCount: number;
  };
  'webhook.endpoint_disabled': {
    readonly subscriptionId: string;
    readonly disabledAt: string;
    readonly reason: (typeof DISABLED_REASONS)[number];
    readonly failureCount: number;
  };
  'api_key.limit_near': {
    readonly keyName: string;
    readonly keyHint: string;
    /** In India. */
    readonly day: string;
    readonly used: number;
    readonly limit: number;
  };
}

interface Alert<Name extends AlertName> {
  readonly partnerId: string;
  readonly name: Name;
  /** The subscription or the key. */
  readonly subjectId: string;
  /** Since when it is so: the same since the same moment is told once. */
  readonly since: Date;
  readonly data: AlertData[Name];
}

/** What a partner is to be told of its own webhooks or keys. */
export type PublishedAlert = { [Name in AlertName]: Alert<Name> }[AlertName];

/** The body of every delivery of an alert, made once and kept as text like that of an event. */
function alertBody(id: string, { name, data }: PublishedAlert, createdAt: Date): string {
  const told = { id, event: name, createdAt: createdAt.toISOString(), apiVersion: 'v1', data };
  return JSON.stringify(told);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds to each next try: about a day in all. The first is longer than a try takes. */
const WAITS = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
const MAX_ATTEMPTS = WAITS.length + 1;

/** E-mails alerts to the partners that gave addresses: each once, or twice when a process ends before it notes it. */
@Injectable()
export class AlertEmails {
  private readonly logger = new Logger(AlertEmails.name);

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly settings: ServiceSettings,
    private readonly partners: PartnerAlertEmails,
    private readonly emails: AlertEmailsRepository,
    private readonly mailer: Mailer,
  ) {}

  /** Puts alerts on their way, in the transaction that tells of them. */
  async put(
    tx: Tx,
    alerts: readonly { readonly id: string; readonly partnerId: string }[],
  ): Promise<void> {
    if (!this.mailer.isThere || alerts.length === 0) return;
    const wanting = new Set(
      await this.partners.wantedBy(
        tx,
        alerts.map(({ partnerId }) => partnerId),
      ),
    );
    const emails = alerts
      .filter(({ partnerId }) => wanting.has(partnerId))
      .map(({ id, partnerId }) => ({ eventId: id, partnerId }));
    await this.emails.put(tx, emails);
  }

  /** Sends what is due, on any number of replicas at once. */
  async sendDue(): Promise<void> {
    if (!this.mailer.isThere) return;
    for (let due = await this.take(); due !== null; due = await this.take()) await this.send(due);
  }

  private take(): Promise<DueAlertEmail | null> {
    return this.emails.take(WAITS);
  }

  private async send({ eventId, partnerId, body, attempt }: DueAlertEmail): Promise<void> {
    try {
      const to = await this.partners.of(partnerId);
      if (to.length > 0 && body !== null) {
        const { displayName: service } = await this.settings.brand();
        const place = { service, baseUrl: this.environment.baseUrl };
        await this.mailer.send({
          id: eventId,
          to,
          ...alertLetter(JSON.parse(body) as ToldAlert, place),
        });
      }
    } catch (error) {
      const failed = `Alert ${eventId} of partner ${partnerId} was not e-mailed`;
      if (attempt < MAX_ATTEMPTS) {
        this.logger.warn(`${failed} (try ${attempt}): ${messageOf(error)}`);
        return;
      }
      this.logger.error(`${failed}, and is not tried again: ${messageOf(error)}`);
    }
    await this.emails.remove(eventId);
  }
}

/** The body of an alert's event, read again. */
type ToldAlert = {
  [Name in PublishedAlert['name']]: {
    readonly event: Name;
    readonly data: Extract<PublishedAlert, { name: Name }>['data'];
  };
}[PublishedAlert['name']] & { readonly id: string; readonly createdAt: string };

/**
 * An alert as an e-mail: one sentence and one link. Like the event, it has ids and numbers only.
 * @param baseUrl of this service, without a slash at the end
 */
function alertLetter(
  alert: ToldAlert,
  { service, baseUrl }: { readonly service: string; readonly baseUrl: string },
): { subject: string; text: string } {
  const { headline, sentence, guide } = contentOf(alert);
  return {
    subject: `${service}: ${headline}`,
    text: `${sentence}\n\n${baseUrl}/docs/${guide}\n`,
  };
}

interface Content {
  readonly headline: string;
  readonly sentence: string;
  readonly guide: string;
}

function contentOf(alert: ToldAlert): Content {
  switch (alert.event) {
    case 'webhook.endpoint_failing': {
      const { subscriptionId, failingSince, failureCount } = alert.data;
      return {
        headline: 'webhook endpoint failing',
        sentence: `The endpoint of subscription ${subscriptionId} has failed ${failureCount} times in a row since ${failingSince}; 20 failures over three days make it inactive.`,
        guide: 'webhooks',
      };
    }
    case 'webhook.endpoint_disabled': {
      const { subscriptionId, disabledAt, reason, failureCount } = alert.data;
      const cause = reason === 'GONE' ? 'a 410 response' : `${failureCount} failures in a row`;
      return {
        headline: 'webhook endpoint inactive',
        sentence: `The endpoint of subscription ${subscriptionId} has been inactive since ${disabledAt} after ${cause}; its events are kept for 30 days.`,
        guide: 'webhooks',
      };
    }
    case 'api_key.limit_near': {
      const { keyName, keyHint, day, used, limit } = alert.data;
      return {
        headline: 'API key near its limit',
        sentence: `The key "${keyName}" (${keyHint}) has used ${used} of its ${limit} requests of ${day}; at the limit, calls get 429 until midnight in India.`,
        guide: 'errors',
      };
    }
  }
}

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
