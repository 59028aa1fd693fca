import type { HostedJourneyView } from '../../journeys/index.js';
import {
  formatDateTime,
  formatPercent,
  formatRupees,
  type Language,
} from '../../platform/index.js';
import type { SummaryRow } from './key-facts-summary.js';
import { loanFigures } from './loan-figures.js';

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
  const lender = { labelKey: 'common.offer.lender', value: offer.lenderName };
  const amount = { labelKey: 'common.offer.amount', value: formatRupees(selection.loanAmount) };
  const rate = {
    labelKey: 'common.offer.rate',
    value: formatPercent(selection.annualRatePercent),
  };
  const issued = {
    labelKey: 'steps.agreed.statement',
    value: formatDateTime(language, statement.issuedAt),
  };
  const figures = loanFigures({ selection, statement }, language);
  return {
    signedRows: [lender, amount, ...figures, issued],
    loanRows: [lender, amount, ...figures, rate],
  };
}
