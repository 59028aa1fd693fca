import { Module } from '@nestjs/common';
import { ConsentLog } from './consent-log.js';
import { ConsentLogRepository } from './store/consent-log.repository.js';

/** The texts that applicants consent to, and the one log of who has consented how. */
@Module({
  providers: [ConsentLog, ConsentLogRepository],
  exports: [ConsentLog],
})
export class ConsentsModule {}
