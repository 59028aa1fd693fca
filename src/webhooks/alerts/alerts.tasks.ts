import { Injectable } from '@nestjs/common';
import { type KeyNearLimit, KeyAccessRepository } from '../../auth/index.js';
import { Database, inChunks, ScheduledTask } from '../../platform/index.js';
import { AlertsRepository, type EndpointToAlert } from '../store/alerts.repository.js';
import { AlertEmails, AlertPublisher, type PublishedAlert } from './alert-publisher.js';

/** Half of the shortest time that a breaker is open. */
const ENDPOINTS_EVERY_MS = 15_000;
const LIMITS_EVERY_MS = 30_000;
const EMAILS_EVERY_MS = 15_000;
const CLEAN_EVERY_MS = 10 * 60_000;
const MAX_AT_ONCE = 100;
const NEAR_PERCENT = 80;

/** Safe on any number of replicas at once. */
@Injectable()
export class AlertsTasks {
  constructor(
    private readonly database: Database,
    private readonly alerts: AlertsRepository,
    private readonly keys: KeyAccessRepository,
    private readonly publisher: AlertPublisher,
    private readonly emails: AlertEmails,
  ) {}

  @ScheduledTask('webhooks-endpoint-alerts', ENDPOINTS_EVERY_MS)
  async tellOfEndpoints(): Promise<void> {
    // Published alerts are not found again.
    await inChunks(true, () =>
      this.database.transaction(async (tx) => {
        const found = await this.alerts.endpointsToAlert(tx, MAX_AT_ONCE);
        await this.publisher.publish(tx, found.map(endpointAlert));
        return found.length === MAX_AT_ONCE ? true : null;
      }),
    );
  }

  @ScheduledTask('webhooks-limit-alerts', LIMITS_EVERY_MS)
  async tellOfLimits(): Promise<void> {
    await inChunks('', async (after) => {
      const found = await this.keys.nearDayLimit(NEAR_PERCENT, after, MAX_AT_ONCE);
      await this.database.transaction((tx) => this.publisher.publish(tx, found.map(limitAlert)));
      return found.length === MAX_AT_ONCE ? found[MAX_AT_ONCE - 1].id : null;
    });
  }

  @ScheduledTask('webhooks-alert-emails', EMAILS_EVERY_MS)
  sendEmails(): Promise<void> {
    return this.emails.sendDue();
  }

  @ScheduledTask('webhooks-alerts-clean', CLEAN_EVERY_MS)
  async clean(): Promise<void> {
    await inChunks(true, async () =>
      (await this.alerts.deleteOld(MAX_AT_ONCE)) === MAX_AT_ONCE ? true : null,
    );
  }
}

function endpointAlert(endpoint: EndpointToAlert): PublishedAlert {
  const { subscriptionId, partnerId, since, failureCount, hasFailedForLong } = endpoint;
  const about = { partnerId, subjectId: subscriptionId, since };
  const at = since.toISOString();
  return endpoint.isActive
    ? {
        ...about,
        name: 'webhook.endpoint_failing',
        data: { subscriptionId, failingSince: at, failureCount },
      }
    : {
        ...about,
        name: 'webhook.endpoint_disabled',
        data: {
          subscriptionId,
          disabledAt: at,
          reason: hasFailedForLong ? 'FAILING' : 'GONE',
          failureCount,
        },
      };
}

function limitAlert(key: KeyNearLimit): PublishedAlert {
  const { id, partnerId, name, hint, day, dayBegan, dayUsed, dayLimit } = key;
  return {
    partnerId,
    subjectId: id,
    since: dayBegan,
    name: 'api_key.limit_near',
    data: { keyName: name, keyHint: hint, day, used: dayUsed, limit: dayLimit },
  };
}
