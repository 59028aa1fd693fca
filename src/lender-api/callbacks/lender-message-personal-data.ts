import { Injectable } from '@nestjs/common';
import {
  type LoanKey,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from '../../erasure/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderMessagesRepository } from '../store/lender-messages.repository.js';

/** What lenders' messages say of applicants. A day's statement names no applicant and is kept. */
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
