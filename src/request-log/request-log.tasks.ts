import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PartitionUpkeep } from '../partitions/index.js';
import { ScheduledTask } from '../platform/index.js';
import { PARTNER_REQUEST_DAYS } from './store/partner-requests.repository.js';

const EVERY_MS = 10 * 60_000;

/** Creates the next days' partitions and drops old ones. */
@Injectable()
export class RequestLogTasks implements OnApplicationBootstrap {
  constructor(private readonly partitions: PartitionUpkeep) {}

  /** An interval begins with a wait. */
  async onApplicationBootstrap(): Promise<void> {
    await this.partitions.makeAhead(PARTNER_REQUEST_DAYS);
  }

  @ScheduledTask('request-log-days', EVERY_MS)
  async keepDays(): Promise<void> {
    await this.partitions.keep(PARTNER_REQUEST_DAYS);
  }
}
