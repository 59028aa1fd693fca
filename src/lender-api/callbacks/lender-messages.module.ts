import { Injectable, Module } from '@nestjs/common';
import {
  ErasureModule,
  type LoanKey,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from '../../erasure/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderMessagesRepository } from '../store/lender-messages.repository.js';

/** Lenders' messages. A statement names no applicant and is kept. */
@Injectable()
export class LenderMessagePersonalData implements PersonalDataHolder {
  readonly order = 7;

  readonly personalColumns = LenderMessagesRepository.PERSONAL_COLUMNS;

  constructor(
    registry: PersonalDataRegistry,
    private readonly messages: LenderMessagesRepository,
  ) {
    registry.registerRecords(this);
  }

  erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    return this.messages.erase(tx, partnerId, id);
  }
}

/** Apart from the rest for the command line, which erases. */
@Module({
  imports: [ErasureModule],
  providers: [LenderMessagesRepository, LenderMessagePersonalData],
  exports: [LenderMessagesRepository],
})
export class LenderMessagesModule {}
