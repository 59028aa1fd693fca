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

/** How many instalments there are, and what they come to; money in paise. */
interface Instalments {
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly total: Paise;
}

/** What a loan comes to; money in paise, the APR in percent. */
interface Figures extends Instalments {
  /** All that is paid: the instalments, and with them what is paid beside them. */
  readonly paid: ShownFigure;
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
  const paid = {
    labelKey: 'common.offer.total',
    value: formatRupees(total),
    note: translate(language, 'common.offer.cost', { cost }),
  };
  const netNote = translate(language, 'steps.figures.net.note', { fees });
  return shownFigures({ instalment, tenureMonths, total, paid, apr, net, netNote }, language);
}

/**
 * The figures of any loan, in the order of the comparison: what do I pay and how often, what do I pay in all
 * and how much more is that than I get, what is that in a year, what do I get.
 */
export function shownFigures(figures: Figures, language: Language): ShownFigure[] {
  const { paid, apr, net, netNote } = figures;
  return [
    { ...instalmentFigure(figures, language), isMain: true },
    paid,
    {
      labelKey: 'common.offer.apr',
      value: formatPercent(apr),
      note: translate(language, 'common.offer.aprNote'),
    },
    { labelKey: 'common.offer.net', value: formatRupees(net), note: netNote },
  ];
}

/** What is paid a month and for how long, and how the last instalment differs, so that the sum is the total. */
export function instalmentFigure(instalments: Instalments, language: Language): ShownFigure {
  const { instalment, tenureMonths } = instalments;
  const months = translate(language, 'common.months', { count: tenureMonths });
  return {
    labelKey: 'common.offer.emi',
    value: formatRupees(instalment),
    note: translate(language, timesKey(instalments), { months }),
  };
}

/** The total comes from the instalment before it is rounded: the last one makes up for that. */
export function isRounded({ instalment, tenureMonths, total }: Instalments): boolean {
  return instalment * tenureMonths !== total;
}

function timesKey(instalments: Instalments): string {
  const { instalment, tenureMonths, total } = instalments;
  if (!isRounded(instalments)) return 'common.offer.times';
  return instalment * tenureMonths > total
    ? 'common.offer.times.smaller'
    : 'common.offer.times.larger';
}
