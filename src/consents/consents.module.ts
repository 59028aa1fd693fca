import { Module } from '@nestjs/common';
import { ConsentLog } from './consent-log.js';
import { ConsentLogRepository } from './store/consent-log.repository.js';

@Module({
  providers: [ConsentLog, ConsentLogRepository],
  exports: [ConsentLog],
})
export class ConsentsModule {}
