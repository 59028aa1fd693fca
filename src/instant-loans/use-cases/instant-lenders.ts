import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { PaymentOrders } from '../../payments/index.js';
import { type Lender, LenderCatalogue } from '../../settings/index.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';

@Injectable()
export class InstantLenders {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param named the lenders that the consent names; absent: any */
  async forAmount(loanAmount: Paise, named?: readonly string[]): Promise<Lender[]> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving.filter(
      (lender) => (named?.includes(lender.code) ?? true) && lendsInstantly(lender, loanAmount),
    );
  }

  /** A disabled lender lends nothing from then on. */
  async stillServing<OfLender extends { readonly lenderCode: string }>(
    all: readonly OfLender[],
  ): Promise<OfLender[]> {
    const codes = new Set((await this.lenders.serving(INSTANT_PRODUCT)).map(({ code }) => code));
    return all.filter(({ lenderCode }) => codes.has(lenderCode));
  }

  async payable<OfLender extends { readonly lenderCode: string }>(
    all: readonly OfLender[],
  ): Promise<OfLender[]> {
    const serving = await this.stillServing(all);
    const may = await Promise.all(
      serving.map(({ lenderCode }) => this.payments.mayTakeFor(lenderCode)),
    );
    return serving.filter((_, index) => may[index]);
  }

  async notLending(loanAmount: Paise, asked: ReadonlySet<string>): Promise<Lender[]> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving.filter(
      (lender) => !asked.has(lender.code) && !lendsInstantly(lender, loanAmount),
    );
  }
}

/** The offer determines the fee; one that is too small is refused with the offer. */
function lendsInstantly({ terms }: Lender, principal: Paise): boolean {
  const product = terms.products[INSTANT_PRODUCT];
  return (
    product !== undefined &&
    principal >= product.minimumAmount &&
    principal <= product.maximumAmount
  );
}
