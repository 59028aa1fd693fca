import { Module } from '@nestjs/common';
import { PartitionsModule } from '../partitions/index.js';
import { RequestLogWriter } from './request-log-writer.js';
import { RequestLogTasks } from './request-log.tasks.js';
import { RequestRecorder } from './request-recorder.js';
import { PartnerRequestsRepository } from './store/partner-requests.repository.js';
import { RequestLog } from './store/request-log.js';

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
