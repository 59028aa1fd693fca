import type { HostedQuote } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { formatPercent, formatRupees, type Language, translate } from '../../platform/index.js';

/** A figure of the `figures` partial. */
export interface ShownFigure {
  readonly labelKey: string;
  readonly value: string;
  readonly note?: string;
  readonly isMain?: boolean;
}

type Quoted = Pick<HostedQuote, 'selection' | 'statement'>;

/** What a loan comes to; money in paise, the APR in percent. */
interface Figures {
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly total: Paise;
  readonly totalNote: string;
  readonly apr: number;
  readonly net: Paise;
  readonly netNote: string;
}

/** The figures of a hosted journey, whose fees are taken off what is paid out. */
export function loanFigures({ selection, statement }: Quoted, language: Language): ShownFigure[] {
  const { instalment, tenureMonths, netDisbursed: net, processingFees, apr } = selection;
  const { totalPayable: total } = statement.aprComputation;
  const cost = formatRupees(total - net);
  const fees = formatRupees(processingFees);
  const totalNote = translate(language, 'steps.figures.total.note', { cost });
  const netNote = translate(language, 'steps.figures.net.note', { fees });
  return shownFigures({ instalment, tenureMonths, total, totalNote, apr, net, netNote }, language);
}

/**
 * The figures of any loan, in the order of the comparison: what do I pay and how often, what do I pay back and
 * what does the loan cost me, what is that in a year, what do I get.
 */
export function shownFigures(figures: Figures, language: Language): ShownFigure[] {
  const { instalment, tenureMonths, total, totalNote, apr, net, netNote } = figures;
  const months = translate(language, 'common.months', { count: tenureMonths });
  return [
    {
      labelKey: 'steps.figures.instalment',
      value: formatRupees(instalment),
      note: translate(language, 'steps.figures.instalment.note', { months }),
      isMain: true,
    },
    { labelKey: 'steps.figures.total', value: formatRupees(total), note: totalNote },
    {
      labelKey: 'steps.figures.apr',
      value: formatPercent(apr),
      note: translate(language, 'steps.figures.apr.note'),
    },
    { labelKey: 'steps.figures.net', value: formatRupees(net), note: netNote },
  ];
}
