import { Injectable, Logger } from '@nestjs/common';
import { PartnerAlertEmails } from '../../auth/index.js';
import {
  Clock,
  type Environment,
  IdGenerator,
  InjectEnvironment,
  Mailer,
  messageOf,
  type Tx,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { AlertName } from '../domain/webhook-events.js';
import { EventPublisher } from '../events/event-publisher.js';
import {
  AlertEmailsRepository,
  AlertsRepository,
  type DueAlertEmail,
} from '../store/alerts.repository.js';
import type { AlertData } from './alert-views.js';

interface Alert<Name extends AlertName> {
  readonly partnerId: string;
  readonly name: Name;
  /** The subscription or the key. */
  readonly subjectId: string;
  /** The same condition since the same moment raises one alert. */
  readonly since: Date;
  /** Ids and numbers only: a webhook URL can hold a secret. */
  readonly data: AlertData<Name>;
}

export type PublishedAlert = { [Name in AlertName]: Alert<Name> }[AlertName];

/** Built once and stored: every attempt sends the same bytes. */
function alertBody(id: string, { name, data }: PublishedAlert, createdAt: Date): string {
  const body = { id, event: name, createdAt: createdAt.toISOString(), apiVersion: 'v1', data };
  return JSON.stringify(body);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds to each retry: about a day in total. The first exceeds an attempt's duration. */
const RETRY_WAIT_SECONDS = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
const MAX_ATTEMPTS = RETRY_WAIT_SECONDS.length + 1;

/** Sends each alert once, or twice if the process dies before recording it. */
@Injectable()
export class AlertEmails {
  private readonly logger = new Logger(AlertEmails.name);

  constructor(
    @InjectEnvironment private readonly environment: Environment,
    private readonly settings: ServiceSettings,
    private readonly partners: PartnerAlertEmails,
    private readonly emails: AlertEmailsRepository,
    private readonly mailer: Mailer,
  ) {}

  /** Queues e-mails in the transaction that writes the alerts. */
  async enqueue(
    tx: Tx,
    alerts: readonly { readonly id: string; readonly partnerId: string }[],
  ): Promise<void> {
    if (!this.mailer.isThere || alerts.length === 0) return;
    const partnersWithEmail = new Set(
      await this.partners.wantedBy(
        tx,
        alerts.map(({ partnerId }) => partnerId),
      ),
    );
    const emails = alerts
      .filter(({ partnerId }) => partnersWithEmail.has(partnerId))
      .map(({ id, partnerId }) => ({ eventId: id, partnerId }));
    await this.emails.enqueue(tx, emails);
  }

  /** Safe on several replicas. */
  async sendDue(): Promise<void> {
    if (!this.mailer.isThere) return;
    for (let due = await this.claim(); due !== null; due = await this.claim()) await this.send(due);
  }

  private claim(): Promise<DueAlertEmail | null> {
    return this.emails.claim(RETRY_WAIT_SECONDS);
  }

  private async send({ eventId, partnerId, body, attempt }: DueAlertEmail): Promise<void> {
    try {
      const to = await this.partners.of(partnerId);
      if (to.length > 0 && body !== null) {
        const { displayName: service } = await this.settings.brand();
        const site = { service, baseUrl: this.environment.baseUrl };
        await this.mailer.send({
          id: eventId,
          to,
          ...alertEmail(JSON.parse(body) as AlertBody, site),
        });
      }
    } catch (error) {
      const failed = `Alert ${eventId} of partner ${partnerId} could not be e-mailed`;
      if (attempt < MAX_ATTEMPTS) {
        this.logger.warn(`${failed} (attempt ${attempt}; retrying): ${messageOf(error)}`);
        return;
      }
      this.logger.error(`${failed}; no further retry: ${messageOf(error)}`);
    }
    await this.emails.remove(eventId);
  }
}

/** The stored body of an alert event. */
type AlertBody = {
  [Name in PublishedAlert['name']]: {
    readonly event: Name;
    readonly data: Extract<PublishedAlert, { name: Name }>['data'];
  };
}[PublishedAlert['name']] & { readonly id: string; readonly createdAt: string };

/**
 * Only ids and numbers, like the event.
 * @param baseUrl without a slash at the end
 */
function alertEmail(
  alert: AlertBody,
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

function contentOf(alert: AlertBody): Content {
  switch (alert.event) {
    case 'webhook.endpoint_failing': {
      const { subscriptionId, failingSince, failureCount } = alert.data;
      return {
        headline: 'webhook endpoint failing',
        sentence: `The endpoint of subscription ${subscriptionId} has failed ${failureCount} times in a row since ${failingSince}. Fix it: after 20 failures over three days it becomes inactive.`,
        guide: 'webhooks',
      };
    }
    case 'webhook.endpoint_disabled': {
      const { subscriptionId, disabledAt, reason, failureCount } = alert.data;
      const cause = reason === 'GONE' ? 'a 410 response' : `${failureCount} failures in a row`;
      return {
        headline: 'webhook endpoint inactive',
        sentence: `The endpoint of subscription ${subscriptionId} has been inactive since ${disabledAt}, after ${cause}. Enable it within 30 days; until then its events are kept.`,
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

/** Alerts partners about their webhooks and keys, once for each condition. */
@Injectable()
export class AlertPublisher {
  constructor(
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    private readonly alerts: AlertsRepository,
    private readonly events: EventPublisher,
    private readonly emails: AlertEmails,
  ) {}

  /** Writes an event, deliveries and e-mails for each new alert, in one transaction. */
  async publish(tx: Tx, alerts: readonly PublishedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const drafts = alerts.map((alert) => ({ alert, eventId: this.ids.next('evt') }));
    const inserted = await this.alerts.insertNew(
      tx,
      drafts.map(({ eventId, alert: { partnerId, name, subjectId, since } }) => ({
        partnerId,
        name,
        subjectId,
        since,
        eventId,
      })),
    );
    const isNew = new Set(inserted);
    const createdAt = this.clock.now();
    const events = drafts
      .filter(({ eventId }) => isNew.has(eventId))
      .map(({ eventId: id, alert }) => ({
        id,
        partnerId: alert.partnerId,
        journeyId: null,
        applicationId: null,
        name: alert.name,
        sequence: null,
        body: alertBody(id, alert, createdAt),
        createdAt,
        aboutSubscription: alert.subjectId,
      }));
    if (events.length === 0) return;
    await this.events.write(tx, events);
    await this.emails.enqueue(tx, events);
  }
}
