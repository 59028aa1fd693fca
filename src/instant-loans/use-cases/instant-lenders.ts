import { Injectable } from '@nestjs/common';
import { lends } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { PaymentOrders } from '../../payments/index.js';
import { INSTANT_PRODUCT, type Lender, LenderCatalogue } from '../../settings/index.js';

@Injectable()
export class InstantLenders {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param named the lenders that the consent names; absent: any */
  async forAmount(loanAmount: Paise, named?: readonly string[]): Promise<Lender[]> {
    const wanted = { productCode: INSTANT_PRODUCT, loanAmount };
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving.filter((one) => (named?.includes(one.code) ?? true) && lends(one, wanted));
  }

  async notLending(loanAmount: Paise): Promise<Lender[]> {
    const wanted = { productCode: INSTANT_PRODUCT, loanAmount };
    return (await this.lenders.serving(INSTANT_PRODUCT)).filter((one) => !lends(one, wanted));
  }

  /** Whether the lender is enabled and has an account for its fee. */
  async isPayable(lenderCode: string): Promise<boolean> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return (
      serving.some(({ code }) => code === lenderCode) &&
      (await this.payments.mayTakeFor(lenderCode))
    );
  }
}
