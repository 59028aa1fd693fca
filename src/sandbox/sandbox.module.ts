import { Module } from '@nestjs/common';
import { LenderRecordsModule } from '../lenders/index.js';
import { PartnerPageController } from './partner-page.controller.js';
import { ProviderPageController } from './provider-page.controller.js';
import { SandboxClockNews } from './sandbox-clock-news.js';
import { SandboxLender } from './sandbox-lender.js';
import { SandboxTimeController } from './sandbox-time.controller.js';
import { SandboxTime } from './sandbox-time.js';
import { SandboxClockRepository } from './store/sandbox-clock.repository.js';
import { TimeTravel } from './time-travel.js';

/** Never mounted in production. */
@Module({
  imports: [LenderRecordsModule],
  controllers: [ProviderPageController, PartnerPageController, SandboxTimeController],
  providers: [SandboxClockRepository, SandboxTime, SandboxLender, SandboxClockNews, TimeTravel],
  exports: [SandboxLender, SandboxTime, TimeTravel],
})
export class SandboxModule {}
