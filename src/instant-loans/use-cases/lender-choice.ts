import { Injectable } from '@nestjs/common';
import { chargeFees, type Paise, type Quote, quoteLoan } from '../../loans/index.js';
import { INSTANT_PRODUCT, type LenderComparison } from '../domain/instant-loan.js';
import { type Lender, LenderCatalogue } from '../../settings/index.js';

/** The least that a payment gateway takes, in paise: ₹1. */
const MIN_FEE = 100;

/** The lender of an instant loan with its figures, and what the others would have asked. */
export interface ChosenLender {
  readonly lender: Lender;
  readonly quote: Quote;
  readonly comparison: LenderComparison;
}

/**
 * Chooses the lender of an instant loan by the one public metric: of those that lend the amount, the
 * one with the lowest APR. The figures are computed here from the lenders' terms.
 */
@Injectable()
export class LenderChoice {
  constructor(private readonly lenders: LenderCatalogue) {}

  /**
   * @param named the lenders that the applicant's consent names; left out, it may be any
   * @returns null when no lender lends this amount
   */
  async forAmount(loanAmount: Paise, named?: readonly string[]): Promise<ChosenLender | null> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    const eligible = named ? serving.filter(({ code }) => named.includes(code)) : serving;
    return chooseLender(eligible, loanAmount);
  }
}

export function chooseLender(serving: readonly Lender[], loanAmount: Paise): ChosenLender | null {
  const quoted = serving.map((lender) => ({ lender, quote: quoteOf(lender, loanAmount) }));
  const lending = quoted
    .filter((one): one is { lender: Lender; quote: Quote } => one.quote !== null)
    .toSorted((a, b) => a.quote.apr - b.quote.apr || byCode(a.lender, b.lender));
  const [chosen, ...others] = lending;
  if (!chosen) return null;
  return {
    ...chosen,
    comparison: {
      others: others.map(({ lender, quote }) => ({
        lenderName: lender.name,
        apr: quote.apr,
        instalment: quote.instalment,
        tenureMonths: quote.tenureMonths,
        fee: quote.processingFees,
      })),
      withoutOffer: quoted.filter(({ quote }) => !quote).map(({ lender }) => lender.name),
    },
  };
}

/** Between equal APRs, as of the offers of journeys: the metric says so. */
function byCode(a: Lender, b: Lender): number {
  return a.code < b.code ? -1 : 1;
}

/** Null when the lender's terms make no instant loan of this amount: a fee must be there to pay. */
function quoteOf({ terms }: Lender, principal: Paise): Quote | null {
  const product = terms.products[INSTANT_PRODUCT];
  if (!product || principal < product.minimumAmount || principal > product.maximumAmount) {
    return null;
  }
  const { annualRatePercent, tenureMonths } = product;
  try {
    const fees = chargeFees(principal, product.fees);
    const quote = quoteLoan({ principal, annualRatePercent, tenureMonths, fees });
    return quote.processingFees < MIN_FEE ? null : quote;
  } catch (error) {
    // Charges that eat a small loan up: nobody would lend it.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
