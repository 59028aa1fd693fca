import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PartitionUpkeep } from '../partitions/index.js';
import { ScheduledTask } from '../platform/index.js';
import { ATTEMPT_WEEKS } from './store/attempt-partitions.js';

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
