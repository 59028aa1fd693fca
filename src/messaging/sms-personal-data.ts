import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import type { Tx } from '../platform/index.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';

@Injectable()
export class SmsPersonalData implements PersonalDataHolder {
  readonly order = 5;
  readonly personalColumns = SmsMessagesRepository.PERSONAL_COLUMNS;

  constructor(
    registry: PersonalDataRegistry,
    private readonly messages: SmsMessagesRepository,
  ) {
    registry.registerRecords(this);
  }

  /** Unsent messages are cancelled; sent ones hold no personal data. */
  erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    return this.messages.cancel(tx, partnerId, id);
  }
}
