import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import type { Tx } from '../platform/index.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';
import { SandboxSessionsRepository } from './store/sandbox-sessions.repository.js';
import { SandboxSmsRepository } from './store/sandbox-sms.repository.js';

/** What the simulated lenders and gateways know of applicants; real ones keep it with themselves. */
@Injectable()
export class SandboxPersonalData implements PersonalDataHolder {
  readonly order = 6;

  readonly personalColumns = [
    ...SandboxPaymentsRepository.PERSONAL_COLUMNS,
    ...SandboxSmsRepository.PERSONAL_COLUMNS,
    ...SandboxSessionsRepository.PERSONAL_COLUMNS,
  ];

  constructor(
    registry: PersonalDataRegistry,
    private readonly payments: SandboxPaymentsRepository,
    private readonly messages: SandboxSmsRepository,
    private readonly sessions: SandboxSessionsRepository,
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
