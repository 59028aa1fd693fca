import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt, Metrics } from '../platform/index.js';
import { DeliveryUpkeep } from './delivery-upkeep.repository.js';

const GAUGE_EVERY_MS = 15_000;
const RECONCILE_EVERY_MS = 30_000;
const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;
const MOST_CHUNKS = 500;

/** Scheduled work on deliveries; safe on any number of replicas at once. */
@Injectable()
export class WebhooksTasks {
  private readonly logger = new Logger(WebhooksTasks.name);

  constructor(
    private readonly upkeep: DeliveryUpkeep,
    private readonly metrics: Metrics,
  ) {}

  @Interval('webhooks-oldest-due', GAUGE_EVERY_MS)
  measureOldestDue(): Promise<void> {
    return attempt(this.logger, async () => {
      this.metrics.oldestDueDelivery.set(await this.upkeep.oldestDueSeconds());
    });
  }

  @Interval('webhooks-reconcile', RECONCILE_EVERY_MS)
  reconcile(): Promise<void> {
    return attempt(this.logger, () => inChunks((most) => this.upkeep.reconcile(most)));
  }

  /** Events go last: one is free to go once its deliveries have gone. */
  @Interval('webhooks-clean', CLEAN_EVERY_MS)
  clean(): Promise<void> {
    return attempt(this.logger, async () => {
      await inChunks((most) => this.upkeep.cancelLongPaused(most));
      await inChunks((most) => this.upkeep.removeFinished(most));
      await inChunks((most) => this.upkeep.removeEvents(most));
    });
  }
}

/** Chunks keep each lock and each transaction short. */
async function inChunks(change: (most: number) => Promise<number>): Promise<void> {
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    if ((await change(ROWS_A_CHUNK)) < ROWS_A_CHUNK) return;
  }
}
