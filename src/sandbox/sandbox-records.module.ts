import { Global, Injectable, Module } from '@nestjs/common';
import {
  ErasureModule,
  type LoanKey,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from '../erasure/index.js';
import type { Tx } from '../platform/index.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';
import { SandboxSessions } from './store/sandbox-sessions.js';
import { SmsInbox } from './store/sms-inbox.js';

/** Real lenders and gateways keep this data themselves. */
@Injectable()
export class SandboxPersonalData implements PersonalDataHolder {
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

/** Global, as the command line needs it, too. */
@Global()
@Module({
  imports: [ErasureModule],
  providers: [...STORE, SandboxPersonalData],
  exports: STORE,
})
export class SandboxRecordsModule {}
