import { Global, Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { SandboxPersonalData } from './sandbox-personal-data.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';
import { SandboxSessionsRepository } from './store/sandbox-sessions.repository.js';
import { SandboxSmsRepository } from './store/sandbox-sms.repository.js';

const STORE = [SandboxSmsRepository, SandboxPaymentsRepository, SandboxSessionsRepository];

/** What the simulated lenders and gateways remember: of the service and of the command line. */
@Global()
@Module({
  imports: [ErasureModule],
  providers: [...STORE, SandboxPersonalData],
  exports: STORE,
})
export class SandboxRecordsModule {}
