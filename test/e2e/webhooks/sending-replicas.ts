import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { SHOWN_STATUS } from '../../../src/webhooks/store/deliveries.repository.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { eventuallyFound } from '../../support/eventually.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './delivery-bench.js';

export const SLUG = 'rinpath';
export const HOUR_MS = 3_600_000;

interface Row {
  status: string;
  attempts: number;
  waitSeconds: number;
}

/** Two replicas that send, a partner of theirs, its receiver, and a look at what they record. */
export class SendingReplicas {
  readonly partner: PartnerClient;
  /** The same partner, at the second replica. */
  readonly secondPartner: PartnerClient;
  readonly database: Database;
  private listening: WebhookReceiver | undefined;

  private constructor(private readonly replicas: TwoReplicas) {
    this.partner = partnerClient(replicas.first);
    this.secondPartner = partnerClient(replicas.second);
    this.database = replicas.first.get<Database>(Database);
  }

  static async start(): Promise<SendingReplicas> {
    return new SendingReplicas(await startTwoReplicas());
  }

  close(): Promise<void> {
    return this.replicas.close();
  }

  /** The receiver of the test that runs. */
  get receiver(): WebhookReceiver {
    return this.listening!;
  }

  async openReceiver(): Promise<void> {
    this.listening = await WebhookReceiver.start();
  }

  async closeReceiver(): Promise<void> {
    await this.receiver.stop();
    // What a test has left open would be sent to the port that it had, and so would what others publish.
    await this.database.query(
      'UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()',
    );
    await this.database.query('DELETE FROM webhook_queue');
  }

  travel(milliseconds: number): Promise<void> {
    return this.replicas.travel(milliseconds);
  }

  async subscribe(url = this.receiver.url()): Promise<{ id: string; secret: string }> {
    const { status, json } = await this.partner.post<{ subscriptionId: string; secret: string }>(
      '/webhooks',
      { url },
    );
    if (status !== 200) throw new Error(`webhooks answered ${status}: ${JSON.stringify(json)}`);
    return { id: json.data.subscriptionId, secret: json.data.secret };
  }

  /** An event of a journey of its own, to every subscription of the partner. */
  async publish(): Promise<void> {
    const publisher = this.replicas.first.get<EventPublisher>(EventPublisher);
    await this.database.transaction((tx) =>
      publisher.publish(tx, someEvent({ partnerId: 'demo' })),
    );
  }

  async deliveryOf(subscriptionId: string): Promise<Row> {
    const [row] = await this.database.query<Row & Record<string, unknown>>(
      `SELECT ${SHOWN_STATUS} AS status, d.attempts,
         extract(epoch FROM q.next_attempt_at - app_now())::float8 AS "waitSeconds"
       FROM webhook_deliveries d LEFT JOIN webhook_queue q ON q.delivery_id = d.id
       LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
       WHERE d.subscription_id = $1 ORDER BY d.id DESC LIMIT 1`,
      [subscriptionId],
    );
    return row;
  }

  /** Waits until so many attempts are on record. */
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

  /** How many answers have come too late so far, on both replicas. */
  async voids(): Promise<number> {
    const counts = [this.replicas.first, this.replicas.second].map(async (one) => {
      const { values } = await one.get<WebhookMetrics>(WebhookMetrics).attempts.get();
      return values.find(({ labels }) => labels.outcome === 'void')?.value ?? 0;
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }
}

/** Two replicas that send, for a spec file: called once at its top. Each test has a receiver of its own. */
export function sendingTests(use: (sending: SendingReplicas) => void): void {
  let sending: SendingReplicas | undefined;
  beforeAll(async () => {
    sending = await SendingReplicas.start();
    use(sending);
  });
  beforeEach(() => sending?.openReceiver());
  afterEach(() => sending?.closeReceiver());
  afterAll(() => sending?.close());
}

/** Verifies as a receiver would: the contract's signature, over the raw bytes. */
export function expectSigned(delivery: Delivery, secret: string): void {
  const expected = createHmac('sha256', secret).update(delivery.body).digest('hex');
  expect(delivery.headers[`x-${SLUG}-signature`]).toBe(expected);
}

/** Verifies with the library, at the time that the delivery has: the tests move the clock. */
export function verifyStandard(delivery: Delivery, secret: string): unknown {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Number(delivery.headers['webhook-timestamp']) * 1_000);
  try {
    return new Webhook(secret).verify(
      delivery.body.toString('utf8'),
      delivery.headers as Record<string, string>,
    );
  } finally {
    vi.useRealTimers();
  }
}
