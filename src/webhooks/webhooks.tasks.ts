import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt, Metrics } from '../platform/index.js';
import { SenderWakeUp } from './sender/sender-wake-up.js';
import { DeliveryUpkeepRepository } from './store/delivery-upkeep.repository.js';
import { SubscriptionsRepository } from './store/subscriptions.repository.js';

const GAUGE_EVERY_MS = 15_000;
const RECONCILE_EVERY_MS = 30_000;
const DRAIN_EVERY_MS = 30_000;
const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;
const MAX_CHUNKS = 500;

/** Scheduled work on deliveries; safe on any number of replicas at once. */
@Injectable()
export class WebhooksTasks {
  private readonly logger = new Logger(WebhooksTasks.name);

  constructor(
    private readonly upkeep: DeliveryUpkeepRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly wakeUp: SenderWakeUp,
    private readonly metrics: Metrics,
  ) {}

  @Interval('webhooks-gauges', GAUGE_EVERY_MS)
  measure(): Promise<void> {
    return attempt(this.logger, async () => {
      const { due, heldBack } = await this.upkeep.waits();
      this.metrics.oldestDueDelivery.set(due);
      this.metrics.oldestHeldBackDelivery.set(heldBack);
      for (const [health, count] of Object.entries(await this.upkeep.health())) {
        this.metrics.webhookSubscriptions.set({ health }, count);
      }
    });
  }

  @Interval('webhooks-reconcile', RECONCILE_EVERY_MS)
  reconcile(): Promise<void> {
    return attempt(this.logger, async () => {
      await inChunks((most) => this.upkeep.cancelOrphans(most));
      await this.subscriptions.wipePreviousSecrets();
    });
  }

  /** Whoever was to do so may have been killed; one that fails keeps no other from it. */
  @Interval('webhooks-drain', DRAIN_EVERY_MS)
  drain(): Promise<void> {
    return attempt(this.logger, async () => {
      for (const id of await this.subscriptions.toDrain()) {
        await attempt(this.logger, () => this.subscriptions.makeRetriesDue(id));
        this.wakeUp.raise();
      }
    });
  }

  /** Events go last: one is free to go once its deliveries have gone. */
  @Interval('webhooks-clean', CLEAN_EVERY_MS)
  clean(): Promise<void> {
    return attempt(this.logger, async () => {
      await inChunks((most) => this.upkeep.cancelLongPaused(most));
      await this.removeFinished();
      await inChunks((most) => this.upkeep.removeEvents(most));
    });
  }

  private async removeFinished(): Promise<void> {
    let after: string | null = '';
    for (let chunk = 0; chunk < MAX_CHUNKS && after !== null; chunk += 1) {
      after = await this.upkeep.removeFinished(ROWS_A_CHUNK, after);
    }
  }
}

/** Chunks keep each lock and each transaction short. */
async function inChunks(change: (most: number) => Promise<number>): Promise<void> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    if ((await change(ROWS_A_CHUNK)) < ROWS_A_CHUNK) return;
  }
}
