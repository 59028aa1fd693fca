import type { HostedJourneyView } from '../../journeys/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import { formatDate, formatRupees, type Language, translate } from '../../platform/index.js';
import type { SummaryRow } from './key-facts-summary.js';

type Agreed = Pick<NonNullable<HostedJourneyView['selected']>, 'offer' | 'selection'>;

/**
 * What an applicant allows by a mandate: who collects, how much each time, how often, from when until when, and
 * how it ends. The first instalment is due a month after the payout, which is not before today.
 */
export function mandateRows(
  { offer, selection }: Agreed,
  now: Date,
  language: Language,
): SummaryRow[] {
  const { instalment, tenureMonths } = selection;
  const today = dayInIndia(now);
  const notBefore = (month: number) =>
    translate(language, 'common.offer.notBefore', {
      when: formatDate(language, addMonths(today, month)),
    });
  return [
    { labelKey: 'steps.mandate.by', value: offer.lenderName },
    {
      labelKey: 'steps.mandate.each',
      value: formatRupees(instalment),
      note: translate(language, 'steps.mandate.each.note'),
    },
    {
      labelKey: 'steps.mandate.often',
      value: translate(language, 'steps.mandate.often.value', { count: tenureMonths }),
    },
    {
      labelKey: 'steps.mandate.first',
      value: notBefore(1),
      note: translate(language, 'common.offer.first.note'),
    },
    {
      labelKey: 'steps.mandate.last',
      value: notBefore(tenureMonths),
      note: translate(language, 'steps.mandate.last.note', {
        months: translate(language, 'common.months', { count: tenureMonths }),
      }),
    },
    { labelKey: 'steps.mandate.end', value: translate(language, 'steps.mandate.end.value') },
  ];
}
