import { Injectable } from '@nestjs/common';
import type { HostedJourneyView } from '../../journeys/index.js';
import { PaymentOrders, Refunds } from '../../payments/index.js';
import { Database } from '../../platform/index.js';
import type { LoanFacts } from './instant-loan-view.js';

@Injectable()
export class LoanMoney {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentOrders,
    private readonly refunds: Refunds,
  ) {}

  of({
    partnerId,
    journeyId,
    fee,
  }: HostedJourneyView): Promise<Pick<LoanFacts, 'returned' | 'hasPage'>> {
    const orderId = fee?.orderId ?? null;
    return this.database.transaction(async (tx) => ({
      returned: await this.refunds.of(tx, partnerId, journeyId),
      hasPage: orderId !== null && !(await this.payments.isUnopened(tx, orderId)),
    }));
  }
}
