import type { OfferedLoanView, ComparedOffer } from '../../instant-loans/index.js';
import type { Paise } from '../../loans/index.js';
import type { LenderIdentity } from '../../matching/index.js';
import { formatPercent, formatRupees, type Language, translate } from '../../platform/index.js';
import { creditEnquiry, hasHardEnquiry } from '../credit-enquiry.js';
import type { SummaryRow } from '../steps/key-facts-summary.js';
import { lenderIdentity, recoveryAgent } from '../steps/lender-identity.js';
import { type ShownFigure, shownFigures } from '../steps/loan-figures.js';

/** What two loans are compared by; money in paise. */
interface Costs {
  readonly lenderName: string;
  /** Percent. */
  readonly apr: number;
  readonly cost: number;
  readonly emi: number;
  readonly tenureMonths: number;
}

/** What the lender is in law, and its registration; empty where that is not known. */
export function identityOf({ kind, registration }: LenderIdentity, language: Language): string {
  return lenderIdentity({ lenderKind: kind, lenderRegistration: registration }, language);
}

/**
 * The figures of the hosted journey, in its order. The fee is paid before, so all of the loan arrives, and what is
 * paid in all is the instalments and the fee.
 */
export function figuresOf(
  { loanAmount, instalment, tenureMonths, apr, fee, netAmount, totalPayable }: OfferedLoanView,
  language: Language,
): ShownFigure[] {
  const parts = {
    total: formatRupees(totalPayable),
    fee: formatRupees(fee),
    cost: formatRupees(totalPayable - netAmount),
  };
  return shownFigures(
    {
      instalment,
      tenureMonths,
      total: totalPayable,
      paid: {
        labelKey: 'instant.figures.total',
        value: formatRupees(totalPayable + fee),
        note: translate(language, 'instant.figures.cost', parts),
      },
      apr,
      net: loanAmount,
      netNote: translate(language, 'instant.figures.net', parts),
    },
    language,
  );
}

/** What the figures do not say. */
export function loanRows(view: OfferedLoanView, language: Language): SummaryRow[] {
  const { annualRatePercent, coolingOffDays, coLender, lender } = view;
  return [
    {
      labelKey: 'common.offer.rate',
      value: formatPercent(annualRatePercent),
      note: translate(language, 'steps.confirm.rate.note'),
    },
    {
      labelKey: 'common.offer.first',
      value: translate(language, 'common.offer.first.note'),
    },
    {
      labelKey: 'common.offer.coolingOff',
      value: translate(language, 'common.offer.days', { count: coolingOffDays }),
      note: translate(language, 'instant.loan.cooling-off-hint'),
    },
    ...(coLender
      ? [
          {
            labelKey: 'common.offer.coLender',
            value: `${coLender.name} (${formatPercent(coLender.sharePercent)})`,
          },
        ]
      : []),
    { labelKey: 'common.offer.recovery', value: recoveryAgentOf(lender, language) },
  ];
}

/** An offer as its card shows it. */
function shownCard(offer: ComparedOffer, language: Language) {
  const { lender } = offer;
  if (!lender) return offer;
  return {
    ...offer,
    isGone: !offer.canChoose,
    identity: identityOf(lender, language),
    recoveryAgent: recoveryAgentOf(lender, language),
    enquiry: creditEnquiry(offer, 'PAYMENT', offer.lenderName, language),
    hasHardEnquiry: hasHardEnquiry(offer.creditReport ?? {}),
  };
}

/** All offers side by side, with the tags of the hosted journey: of those that can be chosen, where there are several. */
export function comparedCards(compared: readonly ComparedOffer[], language: Language) {
  const standing = compared.filter(({ canChoose }) => canChoose);
  const aprs = standing.map(({ figures }) => figures.apr);
  const costs = standing.flatMap(({ figures }) => figures.cost ?? []);
  const [lowest, least, most] = [Math.min(...aprs), Math.min(...costs), Math.max(...costs)];
  return compared.map((offer) => {
    const { apr, cost } = offer.figures;
    const isTagged = offer.canChoose && standing.length > 1;
    return {
      ...shownCard(offer, language),
      isLowest: isTagged && apr === lowest,
      isCheapest: isTagged && cost === least,
      isDearer: isTagged && cost !== undefined && cost > least,
      isDearest: isTagged && cost === most && most > least,
    };
  });
}

/** The offer with the lowest APR and the one that costs the fewest rupees, where that is another one. */
export function cheaperOf(view: OfferedLoanView): { lowest: Costs; cheapest: Costs } | null {
  const standing = view.others.filter(({ canChoose }) => canChoose);
  const all = [...(view.canBeHad ? [leadingCosts(view)] : []), ...standing.flatMap(otherCosts)];
  if (all.length === 0) return null;
  const lowest = all.reduce((best, one) => (one.apr < best.apr ? one : best));
  const cheapest = costingLeast(all);
  return cheapest.cost < lowest.cost ? { lowest, cheapest } : null;
}

/** The offer that costs the fewest rupees, and how many fewer than the one that leads; null where that is the fewest. */
export function cheapestBeside(view: OfferedLoanView): (Costs & { readonly less: Paise }) | null {
  if (!view.canBeHad) return null;
  const leading = leadingCosts(view);
  const others = view.others.filter(({ canChoose }) => canChoose).flatMap(otherCosts);
  const cheapest = costingLeast([leading, ...others]);
  return cheapest === leading ? null : { ...cheapest, less: leading.cost - cheapest.cost };
}

/** The first of them, where several cost as little. */
function costingLeast(all: readonly Costs[]): Costs {
  return all.reduce((best, one) => (one.cost < best.cost ? one : best));
}

function leadingCosts(view: OfferedLoanView): Costs {
  const { lenderName, apr, totalPayable, netAmount, instalment: emi, tenureMonths } = view;
  return { lenderName, apr, cost: totalPayable - netAmount, emi, tenureMonths };
}

/** Nothing of a lender's terms, of which an earlier release has not kept what they cost. */
function otherCosts({ lenderName, figures }: ComparedOffer): Costs[] {
  const { apr, cost, instalment: emi, tenureMonths } = figures;
  return cost === undefined ? [] : [{ lenderName, apr, cost, emi, tenureMonths }];
}

function recoveryAgentOf({ recoveryAgent: agent }: LenderIdentity, language: Language): string {
  return recoveryAgent({ recoveryAgentLsp: agent }, language);
}
