import { Injectable } from '@nestjs/common';
import { type HostedJourneyView, JourneyFeesRepository } from '../../journeys/index.js';
import { PaymentOrders, Refunds } from '../../payments/index.js';
import { Database } from '../../platform/index.js';
import type { LoanFacts } from './instant-loan-view.js';

@Injectable()
export class LoanMoney {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly fees: JourneyFeesRepository,
  ) {}

  of({
    partnerId,
    journeyId,
    fee,
  }: HostedJourneyView): Promise<Pick<LoanFacts, 'returned' | 'isEverOrdered' | 'hasPage'>> {
    const orderId = fee?.orderId ?? null;
    return this.database.transaction(async (tx) => ({
      returned: await this.refunds.of(tx, partnerId, journeyId),
      isEverOrdered: (await this.fees.list(tx, { partnerId, id: journeyId })).some(
        (one) => one.orderId !== null,
      ),
      hasPage: orderId !== null && !(await this.payments.isUnopened(tx, orderId)),
    }));
  }
}
