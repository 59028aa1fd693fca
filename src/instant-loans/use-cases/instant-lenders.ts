import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { PaymentOrders } from '../../payments/index.js';
import { type Lender, LenderCatalogue } from '../../settings/index.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';

/** Which lenders are asked for an instant loan, by their configured terms, and which may be paid. */
@Injectable()
export class InstantLenders {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly payments: PaymentOrders,
  ) {}

  /**
   * Those that lend this amount.
   * @param named the lenders that the applicant's consent names; left out, it may be any
   */
  async forAmount(loanAmount: Paise, named?: readonly string[]): Promise<Lender[]> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving.filter(
      (lender) => (named?.includes(lender.code) ?? true) && lendsInstantly(lender, loanAmount),
    );
  }

  /** What is of lenders that still serve instant loans: whoever is switched off lends from then on nothing. */
  async stillServing<OfLender extends { readonly lenderCode: string }>(
    all: readonly OfLender[],
  ): Promise<OfLender[]> {
    const codes = new Set((await this.lenders.serving(INSTANT_PRODUCT)).map(({ code }) => code));
    return all.filter(({ lenderCode }) => codes.has(lenderCode));
  }

  /** What of them is of lenders that still serve instant loans and have an account to be paid into. */
  async payable<OfLender extends { readonly lenderCode: string }>(
    all: readonly OfLender[],
  ): Promise<OfLender[]> {
    const serving = await this.stillServing(all);
    const may = await Promise.all(
      serving.map(({ lenderCode }) => this.payments.mayTakeFor(lenderCode)),
    );
    return serving.filter((_, index) => may[index]);
  }

  /** Those that serve instant loans, were not asked, and do not lend this amount. */
  async notLending(loanAmount: Paise, asked: ReadonlySet<string>): Promise<Lender[]> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving.filter(
      (lender) => !asked.has(lender.code) && !lendsInstantly(lender, loanAmount),
    );
  }
}

/** The fee is for the lender's offer to say; one that is too small is refused with it. */
function lendsInstantly({ terms }: Lender, principal: Paise): boolean {
  const product = terms.products[INSTANT_PRODUCT];
  return (
    product !== undefined &&
    principal >= product.minimumAmount &&
    principal <= product.maximumAmount
  );
}
