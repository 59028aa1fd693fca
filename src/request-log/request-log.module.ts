import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { PartitionsModule, PartitionUpkeep } from '../partitions/index.js';
import { ScheduledTask } from '../platform/index.js';
import { RequestLogWriter } from './request-log-writer.js';
import { RequestRecorder } from './request-recorder.js';
import {
  PARTNER_REQUEST_DAYS,
  PartnerRequestsRepository,
} from './store/partner-requests.repository.js';
import { RequestLog } from './store/request-log.js';

const EVERY_MS = 10 * 60_000;

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

@Module({
  imports: [PartitionsModule],
  providers: [
    PartnerRequestsRepository,
    RequestLogWriter,
    RequestLogTasks,
    RequestRecorder,
    RequestLog,
  ],
  exports: [RequestRecorder, RequestLog],
})
export class RequestLogModule {}
