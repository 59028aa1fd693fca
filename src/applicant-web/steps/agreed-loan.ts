import type { HostedJourneyView } from '../../journeys/index.js';
import {
  formatDateTime,
  formatPercent,
  formatRupees,
  type Language,
  translate,
} from '../../platform/index.js';
import type { SummaryRow } from './key-facts-summary.js';

type Selected = NonNullable<HostedJourneyView['selected']>;

/** The loan that was agreed to, as rows of a summary. */
export interface AgreedLoan {
  /** For the signature: what is signed. */
  readonly signedRows: readonly SummaryRow[];
  /** For the last page: what was agreed. */
  readonly loanRows: readonly SummaryRow[];
}

export function agreedLoan(
  { offer, selection, statement }: Selected,
  language: Language,
): AgreedLoan {
  const months = translate(language, 'common.months', { count: selection.tenureMonths });
  const lender = { labelKey: 'steps.agreed.lender', value: offer.lenderName };
  const amount = { labelKey: 'steps.agreed.amount', value: formatRupees(selection.loanAmount) };
  const instalment = {
    labelKey: 'steps.agreed.instalment',
    value: formatRupees(selection.instalment),
    note: translate(language, 'steps.agreed.instalment.note', { months }),
  };
  const apr = { labelKey: 'steps.agreed.apr', value: formatPercent(selection.apr) };
  const net = { labelKey: 'steps.agreed.net', value: formatRupees(selection.netDisbursed) };
  const rate = {
    labelKey: 'steps.agreed.rate',
    value: formatPercent(selection.annualRatePercent),
  };
  const stated: SummaryRow[] = statement
    ? [
        {
          labelKey: 'steps.agreed.statement',
          value: formatDateTime(language, statement.issuedAt),
        },
      ]
    : [];
  return {
    signedRows: [lender, amount, instalment, apr, net, ...stated],
    loanRows: [lender, amount, instalment, rate, apr],
  };
}
