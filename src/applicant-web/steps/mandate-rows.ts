import type { HostedJourneyView } from '../../journeys/index.js';
import { addMonths, dayInIndia, type Paise } from '../../loans/index.js';
import { formatDate, formatRupees, type Language, translate } from '../../platform/index.js';
import type { SummaryRow } from './key-facts-summary.js';
import { instalmentFigure } from './loan-figures.js';

type Agreed = Pick<NonNullable<HostedJourneyView['selected']>, 'offer' | 'selection' | 'statement'>;

/**
 * What an applicant allows by a mandate: who collects, from which account, how much each month and at most, from
 * when until when, how it ends, what becomes of it without a loan, and of the loan without it. The first instalment
 * is due a month after the payout, which is not before today.
 */
export function mandateRows(
  { offer, selection, statement }: Agreed,
  account: HostedJourneyView['bankAccount'],
  now: Date,
  language: Language,
): SummaryRow[] {
  const { instalment, tenureMonths } = selection;
  const { totalPayable: total } = statement.aprComputation;
  const { lenderName: lender } = offer;
  const today = dayInIndia(now);
  const notBefore = (month: number) =>
    translate(language, 'common.offer.notBefore', {
      when: formatDate(language, addMonths(today, month)),
    });
  return [
    { labelKey: 'steps.mandate.by', value: lender },
    ...(account
      ? [{ labelKey: 'steps.mandate.account', value: account.maskedNumber, note: account.ifscCode }]
      : []),
    instalmentFigure({ instalment, tenureMonths, total }, language),
    highestDebit(instalment, offer.terms.mandateLimitPercent, language),
    {
      labelKey: 'common.offer.first',
      value: notBefore(1),
      note: translate(language, 'common.offer.first.note'),
    },
    {
      labelKey: 'common.offer.last',
      value: notBefore(tenureMonths),
      note: translate(language, 'common.offer.last.note', {
        months: translate(language, 'common.months', { count: tenureMonths }),
      }),
    },
    { labelKey: 'steps.mandate.end', value: translate(language, 'steps.mandate.end.value') },
    {
      labelKey: 'steps.mandate.stop',
      value: translate(language, 'steps.mandate.stop.value', { lender }),
    },
    {
      labelKey: 'steps.mandate.unsigned',
      value: translate(language, 'steps.mandate.unsigned.value', { lender }),
    },
  ];
}

/** The instalment is whole rupees: its percentage is whole paise. */
function highestDebit(
  instalment: Paise,
  limitPercent: number | undefined,
  language: Language,
): SummaryRow {
  if (limitPercent === undefined) {
    return {
      labelKey: 'steps.mandate.most',
      value: translate(language, 'steps.mandate.most.unknown'),
      note: translate(language, 'steps.mandate.most.unknown.note'),
    };
  }
  return {
    labelKey: 'steps.mandate.most',
    value: formatRupees((instalment * limitPercent) / 100),
    note: translate(
      language,
      limitPercent > 100 ? 'steps.mandate.most.note.above' : 'steps.mandate.most.note',
    ),
  };
}
