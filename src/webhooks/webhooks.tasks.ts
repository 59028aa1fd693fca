import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PartitionUpkeep } from '../partitions/index.js';
import { attempt, inChunks, ScheduledTask } from '../platform/index.js';
import { SenderWakeUp } from './sender/sender-wake-up.js';
import { ATTEMPT_WEEKS, DeliveryUpkeepRepository } from './store/delivery-upkeep.repository.js';
import { SubscriptionsRepository } from './store/subscriptions.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';

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
    private readonly metrics: WebhookMetrics,
  ) {}

  @ScheduledTask('webhooks-gauges', GAUGE_EVERY_MS)
  async measure(): Promise<void> {
    const { due, heldBack } = await this.upkeep.waits();
    this.metrics.oldestDue.set(due);
    this.metrics.oldestHeldBack.set(heldBack);
    for (const [health, count] of Object.entries(await this.upkeep.health())) {
      this.metrics.subscriptions.set({ health }, count);
    }
  }

  @ScheduledTask('webhooks-reconcile', RECONCILE_EVERY_MS)
  async reconcile(): Promise<void> {
    await changeInChunks((most) => this.upkeep.cancelOrphans(most));
    await this.subscriptions.wipePreviousSecrets();
  }

  /** Whoever was to do so may have been killed; one that fails keeps no other from it. */
  @ScheduledTask('webhooks-drain', DRAIN_EVERY_MS)
  async drain(): Promise<void> {
    for (const id of await this.subscriptions.toDrain()) {
      await attempt(this.logger, () => this.subscriptions.makeRetriesDue(id));
      this.wakeUp.raise();
    }
  }

  /** Events go last: one is free to go once its deliveries have gone. */
  @ScheduledTask('webhooks-clean', CLEAN_EVERY_MS)
  async clean(): Promise<void> {
    await changeInChunks((most) => this.upkeep.cancelLongPaused(most));
    await inChunks('', (after) => this.upkeep.removeFinished(ROWS_A_CHUNK, after));
    await changeInChunks((most) => this.upkeep.removeEvents(most));
  }
}

/** Chunks keep each lock and each transaction short. */
async function changeInChunks(change: (most: number) => Promise<number>): Promise<void> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    if ((await change(ROWS_A_CHUNK)) < ROWS_A_CHUNK) return;
  }
}

const EVERY_MS = 10 * 60_000;

/** Makes the partitions of the log of attempts and drops those that are old; safe on any number of replicas at once. */
@Injectable()
export class HistoryTasks implements OnApplicationBootstrap {
  constructor(private readonly partitions: PartitionUpkeep) {}

  /** An interval begins with a wait. */
  async onApplicationBootstrap(): Promise<void> {
    await this.partitions.makeAhead(ATTEMPT_WEEKS);
  }

  @ScheduledTask('webhooks-history', EVERY_MS)
  async keepWeeks(): Promise<void> {
    await this.partitions.keep(ATTEMPT_WEEKS);
  }
}
