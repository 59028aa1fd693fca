import { DataSource } from 'typeorm';
import { Partner } from '../../../src/auth/store/partner.entity.js';
import {
  Database,
  dataSourceOptions,
  IdGenerator,
  OffsetClock,
} from '../../../src/platform/index.js';
import { SenderWakeUp } from '../../../src/webhooks/sender/sender-wake-up.js';
import { DeliveryUpkeepRepository } from '../../../src/webhooks/store/delivery-upkeep.repository.js';
import {
  EventPublisher,
  type PublishedEvent,
} from '../../../src/webhooks/events/event-publisher.js';
import { AttemptRecorder } from '../../../src/webhooks/sender/attempt-recorder.js';
import {
  type AttemptResult,
  AttemptsRepository,
} from '../../../src/webhooks/store/attempts.repository.js';
import type { ClaimedDelivery } from '../../../src/webhooks/store/lane-claims.repository.js';
import { DeliveryClaims } from '../../../src/webhooks/sender/delivery-claims.js';
import { LANE_CAPACITY } from '../../../src/webhooks/store/lane-claim-statements.js';
import { LaneClaimsRepository } from '../../../src/webhooks/store/lane-claims.repository.js';
import { SenderDatabase } from '../../../src/webhooks/store/sender-database.js';
import { SubscriptionsRepository } from '../../../src/webhooks/store/subscriptions.repository.js';
import {
  SHOWN_STATUS,
  WEBHOOK_ENTITIES,
} from '../../../src/webhooks/store/deliveries.repository.js';
import { EventsRepository } from '../../../src/webhooks/store/events.repository.js';
import type { DeliveryStatus, EventName } from '../../../src/webhooks/domain/webhook-events.js';
import type { WebhookLane } from '../../../src/webhooks/store/webhook-subscription.entity.js';
import { createTestDatabase } from '../../support/test-database.js';
import { PARTNER, someEvent } from './some-event.js';

export const SUCCESS: AttemptResult = {
  isSuccess: true,
  isGone: false,
  responseStatus: 200,
  responseExcerpt: 'ok',
  failure: null,
  retryAfterMs: null,
  durationMs: 7,
};
export const REFUSAL: AttemptResult = { ...SUCCESS, isSuccess: false, responseStatus: 500 };
export const GONE: AttemptResult = { ...REFUSAL, isGone: true, responseStatus: 410 };

class UnhurriedClaims extends DeliveryClaims {
  protected override monotonicMs(): number {
    return 0;
  }
}

interface NewSubscription {
  partnerId?: string;
  events?: EventName[];
  isActive?: boolean;
}

export interface DeliveryRow {
  id: string;
  subscriptionId: string;
  eventId: string;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
}

/**
 * The sender's parts on a real database without a running sender: a test can stop between any two steps. Two benches on
 * one database are two replicas.
 */
export class DeliveryBench {
  claims: DeliveryClaims;
  recorder: AttemptRecorder;
  readonly upkeep: DeliveryUpkeepRepository;
  readonly subscriptions: SubscriptionsRepository;
  readonly publisher: EventPublisher;
  readonly wakeUp = new SenderWakeUp();
  private readonly senderDatabase: SenderDatabase;
  private readonly ids = new IdGenerator(new OffsetClock());

  private constructor(
    readonly database: Database,
    private readonly drop: () => Promise<void>,
  ) {
    this.senderDatabase = new SenderDatabase(database);
    this.claims = this.freshClaims();
    this.recorder = this.recorderOf(this.claims);
    this.upkeep = new DeliveryUpkeepRepository(database);
    this.subscriptions = new SubscriptionsRepository(database);
    this.publisher = new EventPublisher(this.ids, this.wakeUp, new EventsRepository());
  }

  static async open(): Promise<DeliveryBench> {
    const made = await createTestDatabase();
    const bench = await DeliveryBench.on(made.url, () => made.drop());
    await bench.database.query(
      `INSERT INTO partners (id, name) VALUES ($1, 'Bench'), ('other', 'O')`,
      [PARTNER],
    );
    return bench;
  }

  private static async on(url: string, drop: () => Promise<void>): Promise<DeliveryBench> {
    const entities = [Partner, ...WEBHOOK_ENTITIES];
    const options = dataSourceOptions({ url, poolSize: 4, entities, migrations: [] });
    const dataSource = await new DataSource(options).initialize();
    return new DeliveryBench(new Database(dataSource), async () => {
      await dataSource.destroy();
      await drop();
    });
  }

  get url(): string {
    return (this.database.dataSource.options as { url: string }).url;
  }

  replica(): Promise<DeliveryBench> {
    return DeliveryBench.on(this.url, () => Promise.resolve());
  }

  async close(): Promise<void> {
    await this.senderDatabase.onApplicationShutdown();
    await this.drop();
  }

  private freshClaims(): DeliveryClaims {
    return new UnhurriedClaims(new LaneClaimsRepository(this.senderDatabase));
  }

  private recorderOf(claims: DeliveryClaims): AttemptRecorder {
    return new AttemptRecorder(new AttemptsRepository(this.senderDatabase), claims, this.wakeUp);
  }

  async reset(): Promise<void> {
    this.claims = this.freshClaims();
    this.recorder = this.recorderOf(this.claims);
    await this.database.query(
      `TRUNCATE webhook_attempts, webhook_deliveries, webhook_queue, webhook_events, webhook_lanes,
         webhook_subscriptions, webhook_alerts`,
    );
  }

  async travel(milliseconds: number): Promise<void> {
    await this.database.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [
      milliseconds,
    ]);
  }

  async subscribe(given: NewSubscription = {}): Promise<string> {
    const id = this.ids.next('sub');
    await this.database.transaction((tx) =>
      this.subscriptions.insert(tx, {
        id,
        partnerId: given.partnerId ?? PARTNER,
        url: 'https://partner.example/hooks',
        events: given.events ?? null,
        secretSealed: 'sealed',
      }),
    );
    await this.database.query(
      `UPDATE webhook_lanes SET has_succeeded = true, is_active = $2,
         inactive_since = CASE WHEN $2 THEN NULL ELSE app_now() END WHERE subscription_id = $1`,
      [id, given.isActive ?? true],
    );
    return id;
  }

  async publish(...events: PublishedEvent[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const event of events) await this.publisher.publishAll(tx, [event]);
    });
  }

  publishMany(count: number): Promise<void> {
    return this.publish(...Array.from({ length: count }, () => someEvent()));
  }

  /**
   * A subscription with an open breaker: five retries wait for hours. Untried deliveries wait behind the first retry,
   * the probe, which is claimed.
   */
  async broken(untried: number): Promise<{ id: string; probe: ClaimedDelivery }> {
    const id = await this.subscribe();
    await this.publishMany(LANE_CAPACITY + untried);
    const claims = await this.claims.claim();
    await Promise.all(claims.map((claim) => this.finish(claim, REFUSAL, 8 * 3_600_000)));
    await this.travel(31_000);
    const [probe, ...none] = await this.claims.claim();
    if (!probe?.lane.isProbe || none.length > 0) throw new Error('the breaker is not open');
    return { id, probe };
  }

  async finish(
    claim: ClaimedDelivery,
    result: AttemptResult,
    retryDelayMs: number | null = 5_000,
  ): Promise<boolean> {
    const isRecorded = await this.record(claim, result, retryDelayMs);
    await this.recorder.settled();
    return isRecorded;
  }

  record(
    claim: ClaimedDelivery,
    result: AttemptResult,
    retryDelayMs: number | null = 5_000,
  ): Promise<boolean> {
    const attempt = { claim, startedAt: performance.now(), result, retryDelayMs };
    return new Promise((resolve, reject) => {
      this.recorder.record(attempt, (_, outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  async delivery(id: string): Promise<DeliveryRow> {
    const [row] = await this.deliveries(id);
    return row;
  }

  deliveries(id?: string): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow & Record<string, unknown>>(
      `SELECT d.id, d.subscription_id AS "subscriptionId", d.event_id AS "eventId",
         ${SHOWN_STATUS} AS status, d.attempts, q.next_attempt_at AS "nextAttemptAt",
         d.finished_at AS "finishedAt"
       FROM webhook_deliveries d LEFT JOIN webhook_queue q ON q.delivery_id = d.id
       LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id
       WHERE $1::text IS NULL OR d.id = $1 ORDER BY d.created_at, d.id`,
      [id ?? null],
    );
  }

  async lane(subscriptionId: string): Promise<WebhookLane> {
    const [row] = await this.database.query<WebhookLane & Record<string, unknown>>(
      `SELECT is_active AS "isActive", failure_count AS "failureCount",
         failing_since AS "failingSince", last_delivery_at AS "lastDeliveryAt",
         probe_at AS "probeAt", probe_wait_seconds AS "probeWaitSeconds",
         lease_token AS "leaseToken", lease_until AS "leaseUntil",
         drain_since AS "drainSince"
       FROM webhook_lanes WHERE subscription_id = $1`,
      [subscriptionId],
    );
    return row;
  }

  attempts(deliveryId: string): Promise<{ attempt: number; responseStatus: number | null }[]> {
    return this.database.query(
      `SELECT attempt, response_status AS "responseStatus", response_excerpt AS "responseExcerpt",
         failure, duration_ms AS "durationMs", partner_id AS "partnerId"
       FROM webhook_attempts WHERE delivery_id = $1 ORDER BY attempt`,
      [deliveryId],
    );
  }
}
