import { Injectable } from '@nestjs/common';
import { chargeFees, MIN_UP_FRONT_FEE, type Paise, quoteLoan } from '../../loans/index.js';
import { type Lender, LenderCatalogue } from '../../settings/index.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';

/** Which lenders are asked for an instant loan, by their configured terms. */
@Injectable()
export class InstantLenders {
  constructor(private readonly lenders: LenderCatalogue) {}

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

  /** The names of those that serve instant loans, were not asked, and do not lend this amount. */
  async notLending(loanAmount: Paise, asked: ReadonlySet<string>): Promise<string[]> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving
      .filter((lender) => !asked.has(lender.code) && !lendsInstantly(lender, loanAmount))
      .map(({ name }) => name);
  }
}

/** Whether the lender's terms make an instant loan of this amount: a fee must be there to pay. */
export function lendsInstantly({ terms }: Lender, principal: Paise): boolean {
  const product = terms.products[INSTANT_PRODUCT];
  if (!product || principal < product.minimumAmount || principal > product.maximumAmount) {
    return false;
  }
  const { annualRatePercent, tenureMonths } = product;
  try {
    const fees = chargeFees(principal, product.fees);
    const quote = quoteLoan({ principal, annualRatePercent, tenureMonths, fees });
    return quote.processingFees >= MIN_UP_FRONT_FEE;
  } catch (error) {
    // Charges that eat a small loan up: nobody would lend it.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
