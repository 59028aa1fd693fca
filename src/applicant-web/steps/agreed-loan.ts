import type { HostedSelection } from '../../journeys/index.js';
import { formatPercent, formatRupees, type Language, translate } from '../../platform/index.js';
import { type CardFigure, cardFigures, type CardRow, receivedRow } from '../offers/offer-card.js';
import { totalRow } from '../offers/confirmed-terms.js';

type Selected = Pick<HostedSelection, 'selection' | 'statement'>;

interface SignedLoan {
  readonly figures: readonly CardFigure[];
  readonly rows: readonly CardRow[];
}

export function signedLoan(selected: Selected, language: Language): SignedLoan {
  const { instalment: emi, apr, tenureMonths } = selected.selection;
  return {
    figures: cardFigures({ emi, apr, tenureMonths }, language),
    rows: [
      amountRow(selected, language),
      receivedRow(selected.selection, language),
      totalRow(selected.statement, language),
    ],
  };
}

export function agreedRows(selected: Selected, language: Language): CardRow[] {
  const { processingFees, annualRatePercent, areFeesPaidFirst } = selected.selection;
  const feesKey = areFeesPaidFirst ? 'offers.confirm.feesFirst' : 'offers.confirm.fees';
  return [
    amountRow(selected, language),
    { label: translate(language, feesKey), value: formatRupees(processingFees) },
    {
      label: translate(language, 'offers.confirm.interest'),
      value: formatPercent(annualRatePercent),
    },
    totalRow(selected.statement, language),
  ];
}

function amountRow({ selection }: Selected, language: Language): CardRow {
  return {
    label: translate(language, 'offers.amount'),
    value: formatRupees(selection.loanAmount),
  };
}
