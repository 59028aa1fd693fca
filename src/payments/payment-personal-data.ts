import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import type { Tx } from '../platform/index.js';
import { PaymentOrders } from './payment-orders.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

@Injectable()
export class PaymentPersonalData implements PersonalDataHolder {
  readonly order = 4;
  readonly personalColumns = PaymentOrdersRepository.PERSONAL_COLUMNS;

  constructor(
    registry: PersonalDataRegistry,
    private readonly orders: PaymentOrders,
    private readonly records: PaymentOrdersRepository,
  ) {
    registry.registerRecords(this);
  }

  /** Amounts and gateway ids stay, so that payments can be matched. */
  async erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    for (const orderId of await this.records.unendedOf(tx, partnerId, id)) {
      await this.orders.cancel(tx, orderId);
    }
    return this.records.eraseDetails(tx, partnerId, id);
  }
}
