import { Module } from '@nestjs/common';
import { LenderRecordsModule } from '../lenders/index.js';
import { PartnerPageController } from './partner-page.controller.js';
import { ProviderPageController } from './provider-page.controller.js';
import { SandboxClockTasks } from './sandbox-clock.tasks.js';
import { SandboxLender } from './sandbox-lender.js';
import { SandboxTime } from './sandbox-time.js';
import { SandboxClockRepository } from './store/sandbox-clock.repository.js';
import { SandboxSessions } from './sandbox-sessions.js';

/** What stands in for the outside world; never mounted in production. */
@Module({
  imports: [LenderRecordsModule],
  controllers: [ProviderPageController, PartnerPageController],
  providers: [
    SandboxClockRepository,
    SandboxTime,
    SandboxLender,
    SandboxSessions,
    SandboxClockTasks,
  ],
  exports: [SandboxLender],
})
export class SandboxModule {}
