import { afterEach, beforeAll, beforeEach } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher, type PublishedEvent } from '../../../src/webhooks/index.js';
import { SHOWN_STATUS } from '../../../src/webhooks/store/deliveries.repository.js';
import { eventuallyFound } from '../../support/eventually.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

export const HOUR_MS = 3_600_000;

interface Row {
  status: string;
  attempts: number;
  /** From the last attempt to the next. */
  waitSeconds: number;
}

export class SendingBench {
  readonly partner: PartnerClient;
  readonly database: Database;
  private listening: WebhookReceiver | undefined;

  constructor(private readonly service: TestService) {
    this.partner = partnerClient(service);
    this.database = service.get<Database>(Database);
  }

  get partnerId(): string {
    return this.service.partnerId;
  }

  get receiver(): WebhookReceiver {
    return this.listening!;
  }

  async openReceiver(): Promise<void> {
    this.listening = await WebhookReceiver.start();
  }

  async closeReceiver(): Promise<void> {
    await this.receiver.stop();
    // Otherwise deliveries of earlier tests would be sent to this port, and so would those of other files.
    await this.database.query(
      `UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()
       WHERE subscription_id IN (SELECT id FROM webhook_subscriptions WHERE partner_id = $1)`,
      [this.partnerId],
    );
    await this.database.query('DELETE FROM webhook_queue WHERE partner_id = $1', [this.partnerId]);
  }

  now(): Date {
    return this.service.now();
  }

  travel(milliseconds: number): Promise<void> {
    return this.service.travel(milliseconds);
  }

  async subscribe(
    url = this.receiver.url(),
    events?: string[],
  ): Promise<{ id: string; secret: string }> {
    const { status, json } = await this.partner.post<{ subscriptionId: string; secret: string }>(
      '/webhooks',
      { url, events },
    );
    if (status !== 200) throw new Error(`webhooks answered ${status}: ${JSON.stringify(json)}`);
    return { id: json.data.subscriptionId, secret: json.data.secret };
  }

  async publish(count = 1, given: Partial<PublishedEvent> = {}): Promise<void> {
    const publisher = this.service.get<EventPublisher>(EventPublisher);
    await this.database.transaction(async (tx) => {
      for (let event = 0; event < count; event += 1) {
        await publisher.publishAll(tx, [someEvent({ partnerId: this.partnerId, ...given })]);
      }
    });
  }

  async deliveryOf(subscriptionId: string): Promise<Row> {
    const [row] = await this.database.query<Row & Record<string, unknown>>(
      `SELECT ${SHOWN_STATUS} AS status, d.attempts,
         extract(epoch FROM q.next_attempt_at - (SELECT max(started_at) FROM webhook_attempts
           WHERE delivery_id = d.id))::float8 AS "waitSeconds"
       FROM webhook_deliveries d LEFT JOIN webhook_queue q ON q.delivery_id = d.id
       LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
       WHERE d.subscription_id = $1 ORDER BY d.id DESC LIMIT 1`,
      [subscriptionId],
    );
    return row;
  }

  recorded(subscriptionId: string, attempts: number): Promise<Row> {
    return eventuallyFound(async () => {
      const row = await this.deliveryOf(subscriptionId);
      return row.attempts === attempts ? row : null;
    });
  }

  attemptsOf(subscriptionId: string) {
    return this.database.query<Record<string, unknown>>(
      `SELECT a.attempt, a.response_status AS "responseStatus", a.failure,
         a.response_excerpt AS "responseExcerpt", a.duration_ms AS "durationMs"
       FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
       WHERE d.subscription_id = $1 ORDER BY a.attempt`,
      [subscriptionId],
    );
  }

  async listed(subscriptionId: string): Promise<Record<string, unknown>> {
    const answer = await this.partner.get<{ subscriptions: Record<string, unknown>[] }>(
      '/webhooks',
    );
    return answer.json.data.subscriptions.find((one) => one.subscriptionId === subscriptionId)!;
  }
}

export function sendingTests(use: (sending: SendingBench) => void): void {
  let sending: SendingBench | undefined;
  beforeAll(async () => {
    sending = new SendingBench(await sharedService());
    use(sending);
  });
  beforeEach(() => sending?.openReceiver());
  afterEach(() => sending?.closeReceiver());
}
