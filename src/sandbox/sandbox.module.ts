import { Global, Injectable, Module } from '@nestjs/common';
import {
  ErasureModule,
  type LoanKey,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from '../erasure/index.js';
import { LenderRecordsModule } from '../lenders/index.js';
import type { Tx } from '../platform/index.js';
import { PartnerPageController } from './partner-page.controller.js';
import { ProviderPageController } from './provider-page.controller.js';
import { SandboxClockNews, SandboxTime } from './sandbox-clock-news.js';
import { SandboxLender } from './sandbox-lender.js';
import { SandboxPaymentCallbacks } from './sandbox-payment-callbacks.js';
import { SandboxPaymentPageController } from './sandbox-payment-page.controller.js';
import { SandboxPaymentGateway } from './sandbox-payment.gateway.js';
import { SandboxPayments } from './sandbox-payments.js';
import { SandboxTimeController } from './sandbox-time.controller.js';
import { SmsInboxController, SmsInboxGateway } from './sms-inbox.controller.js';
import { SandboxClockRepository } from './store/sandbox-clock.repository.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';
import { SandboxSessions } from './store/sandbox-sessions.js';
import { SmsInbox } from './store/sms-inbox.js';
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
export class SandboxPaymentModule {}

@Module({
  providers: [SmsInboxGateway],
  exports: [SmsInboxGateway],
})
export class SmsInboxModule {}

@Module({ controllers: [SmsInboxController] })
export class SmsInboxPageModule {}

/** Real lenders and gateways keep this data themselves. */
@Injectable()
class SandboxPersonalData implements PersonalDataHolder {
  readonly order = 6;

  readonly personalColumns = [
    ...SandboxPaymentsRepository.PERSONAL_COLUMNS,
    ...SmsInbox.PERSONAL_COLUMNS,
    ...SandboxSessions.PERSONAL_COLUMNS,
  ];

  constructor(
    registry: PersonalDataRegistry,
    private readonly payments: SandboxPaymentsRepository,
    private readonly messages: SmsInbox,
    private readonly sessions: SandboxSessions,
  ) {
    registry.registerRecords(this);
  }

  async erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    const payments = await this.payments.erase(tx, partnerId, id);
    const messages = await this.messages.erase(tx, partnerId, id);
    const sessions = await this.sessions.erase(tx, partnerId, id);
    return payments + messages + sessions;
  }
}

const STORE = [SmsInbox, SandboxPaymentsRepository, SandboxSessions];

/** Global, because the command line also needs it. */
@Global()
@Module({
  imports: [ErasureModule],
  providers: [...STORE, SandboxPersonalData],
  exports: STORE,
})
export class SandboxRecordsModule {}
