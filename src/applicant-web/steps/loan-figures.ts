import type { HostedQuote } from '../../journeys/index.js';
import { formatPercent, formatRupees, type Language, translate } from '../../platform/index.js';

/** A figure of the `figures` partial. */
export interface ShownFigure {
  readonly labelKey: string;
  readonly value: string;
  readonly note?: string;
  readonly isMain?: boolean;
}

type Quoted = Pick<HostedQuote, 'selection' | 'statement'>;

/**
 * What a loan comes to, in the order of the comparison: what do I pay and how often, what do I pay back and
 * what does the loan cost me, what is that in a year, what do I get.
 */
export function loanFigures({ selection, statement }: Quoted, language: Language): ShownFigure[] {
  const { instalment, tenureMonths, netDisbursed, processingFees, apr } = selection;
  const { totalPayable } = statement.aprComputation;
  return [
    {
      labelKey: 'steps.figures.instalment',
      value: formatRupees(instalment),
      note: translate(language, 'steps.figures.instalment.note', {
        months: translate(language, 'common.months', { count: tenureMonths }),
      }),
      isMain: true,
    },
    {
      labelKey: 'steps.figures.total',
      value: formatRupees(totalPayable),
      note: translate(language, 'steps.figures.total.note', {
        cost: formatRupees(totalPayable - netDisbursed),
      }),
    },
    {
      labelKey: 'steps.figures.apr',
      value: formatPercent(apr),
      note: translate(language, 'steps.figures.apr.note'),
    },
    {
      labelKey: 'steps.figures.net',
      value: formatRupees(netDisbursed),
      note: translate(language, 'steps.figures.net.note', { fees: formatRupees(processingFees) }),
    },
  ];
}
