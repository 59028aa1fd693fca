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

/** What a loan comes to, as somebody asks: what do I pay, for how long, what do I get, what does it cost. */
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
      labelKey: 'steps.figures.net',
      value: formatRupees(netDisbursed),
      note: translate(language, 'steps.figures.net.note', { fees: formatRupees(processingFees) }),
    },
    {
      labelKey: 'steps.figures.total',
      value: formatRupees(totalPayable),
    },
    {
      labelKey: 'steps.figures.apr',
      value: formatPercent(apr),
      note: translate(language, 'steps.figures.apr.note'),
    },
  ];
}
