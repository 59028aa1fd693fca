import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PartitionUpkeep } from '../partitions/index.js';
import { attempt, clearGauge, inChunks, ScheduledTask } from '../platform/index.js';
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
    const { oldestDue, oldestHeldBack, subscriptions } = this.metrics;
    const read = Promise.all([this.upkeep.waits(), this.upkeep.health()]);
    // Reports no value while the database is unreachable.
    const [{ due, heldBack }, healths] = await read.finally(() => {
      for (const gauge of [oldestDue, oldestHeldBack, subscriptions]) clearGauge(gauge);
    });
    oldestDue.set(due);
    oldestHeldBack.set(heldBack);
    for (const [health, count] of Object.entries(healths)) subscriptions.set({ health }, count);
  }

  @ScheduledTask('webhooks-reconcile', RECONCILE_EVERY_MS)
  async reconcile(): Promise<void> {
    await changeInChunks((max) => this.upkeep.cancelOrphans(max));
    await this.subscriptions.wipePreviousSecrets();
  }

  /** For drains whose process died; one failure does not stop the others. */
  @ScheduledTask('webhooks-drain', DRAIN_EVERY_MS)
  async drain(): Promise<void> {
    for (const id of await this.subscriptions.toDrain()) {
      await attempt(this.logger, () => this.subscriptions.makeRetriesDue(id));
      this.wakeUp.raise();
    }
  }

  /** Events last, since deliveries refer to them. */
  @ScheduledTask('webhooks-clean', CLEAN_EVERY_MS)
  async clean(): Promise<void> {
    await changeInChunks((max) => this.upkeep.cancelLongPaused(max));
    await inChunks('', (after) => this.upkeep.removeFinished(ROWS_A_CHUNK, after));
    await changeInChunks((max) => this.upkeep.removeEvents(max));
  }
}

/** Chunks keep locks and transactions short. */
async function changeInChunks(change: (max: number) => Promise<number>): Promise<void> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    if ((await change(ROWS_A_CHUNK)) < ROWS_A_CHUNK) return;
  }
}

const PARTITIONS_EVERY_MS = 10 * 60_000;

/** Safe on any number of replicas at once. */
@Injectable()
export class HistoryTasks implements OnApplicationBootstrap {
  constructor(private readonly partitions: PartitionUpkeep) {}

  /** An interval starts with a wait. */
  async onApplicationBootstrap(): Promise<void> {
    await this.partitions.makeAhead(ATTEMPT_WEEKS);
  }

  @ScheduledTask('webhooks-history', PARTITIONS_EVERY_MS)
  async keepWeeks(): Promise<void> {
    await this.partitions.keep(ATTEMPT_WEEKS);
  }
}
