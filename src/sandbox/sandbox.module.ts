import { Module } from '@nestjs/common';
import { LenderRecordsModule } from '../lenders/index.js';
import { DueTimes } from '../platform/index.js';
import { PartnerPageController } from './partner-page.controller.js';
import { ProviderPageController } from './provider-page.controller.js';
import { SandboxClockNews } from './sandbox-clock-news.js';
import { SandboxLender } from './sandbox-lender.js';
import { SandboxPaymentCallbacks } from './sandbox-payment-callbacks.js';
import { SandboxPaymentPageController } from './sandbox-payment-page.controller.js';
import { SandboxPaymentGateway } from './sandbox-payment.gateway.js';
import { SandboxPayments } from './sandbox-payments.js';
import { SandboxTimeController } from './sandbox-time.controller.js';
import { SandboxTime } from './sandbox-time.js';
import { SmsInboxController } from './sms-inbox.controller.js';
import { SmsInboxGateway } from './sms-inbox.gateway.js';
import { SandboxClockRepository } from './store/sandbox-clock.repository.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';
import { TimeTravel } from './time-travel.js';

/** Never mounted in production. */
@Module({
  imports: [LenderRecordsModule],
  controllers: [ProviderPageController, PartnerPageController, SandboxTimeController],
  providers: [SandboxClockRepository, SandboxTime, SandboxLender, SandboxClockNews, TimeTravel],
  exports: [SandboxLender, SandboxTime, TimeTravel],
})
export class SandboxModule {}

@Module({
  controllers: [SandboxPaymentPageController],
  providers: [SandboxPayments, SandboxPaymentGateway, SandboxPaymentCallbacks],
  exports: [SandboxPaymentGateway, SandboxPayments],
})
export class SandboxPaymentModule {
  constructor(times: DueTimes) {
    times.watch({ times: SandboxPaymentsRepository.TIMES });
  }
}

@Module({
  providers: [SmsInboxGateway],
  exports: [SmsInboxGateway],
})
export class SmsInboxModule {}

@Module({ controllers: [SmsInboxController] })
export class SmsInboxPageModule {}
