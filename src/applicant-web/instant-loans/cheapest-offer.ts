import type { ComparedOffer, OfferedLoanView } from '../../instant-loans/index.js';
import type { Paise } from '../../loans/index.js';

interface Costs {
  readonly lenderName: string;
  readonly cost: Paise;
  readonly emi: Paise;
  readonly tenureMonths: number;
}

/**
 * The offer with the lowest cost and how much less than the leading one's; null when that is the
 * lowest.
 */
export function cheapestBeside(view: OfferedLoanView): (Costs & { readonly less: Paise }) | null {
  if (!view.canBeHad) return null;
  const { lenderName, totalPayable, netAmount, instalment: emi, tenureMonths } = view;
  const leading = { lenderName, cost: totalPayable - netAmount, emi, tenureMonths };
  const others = view.others.filter(({ canChoose }) => canChoose).map(costsOf);
  const cheapest = others.reduce((best, one) => (one.cost < best.cost ? one : best), leading);
  return cheapest === leading ? null : { ...cheapest, less: leading.cost - cheapest.cost };
}

function costsOf({ lenderName, figures }: ComparedOffer): Costs {
  const { cost, instalment: emi, tenureMonths } = figures;
  return { lenderName, cost, emi, tenureMonths };
}
