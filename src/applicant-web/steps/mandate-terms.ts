import type { HostedJourneyView, HostedSelection } from '../../journeys/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import { formatDate, formatRupees, type Language, translate } from '../../platform/index.js';
import type { CardFigure, CardRow } from '../offers/offer-card.js';
import { shortAccount } from '../short-names.js';

type Agreed = Pick<HostedSelection, 'offer' | 'selection'>;

interface MandateTerms {
  readonly figures: readonly CardFigure[];
  readonly rows: readonly CardRow[];
  readonly limit: { readonly heading: string; readonly textKey: string };
}

/** The first instalment is due a month after the payout, which is today at the earliest. */
export function mandateTerms(
  { offer, selection }: Agreed,
  account: HostedJourneyView['bankAccount'],
  now: Date,
  language: Language,
): MandateTerms {
  const { instalment, tenureMonths: count } = selection;
  const { mandateLimitPercent: percent } = offer.terms;
  const say = (key: string) => translate(language, key);
  const later = (months: number) =>
    translate(language, 'steps.mandate.later', {
      when: formatDate(language, addMonths(dayInIndia(now), months)),
    });
  // The instalment is whole rupees, so its percentage is whole paise.
  const most = percent === undefined ? null : formatRupees((instalment * percent) / 100);
  return {
    figures: [
      { label: translate(language, 'offers.emi', { count }), value: formatRupees(instalment) },
      ...(most === null ? [] : [{ label: say('steps.mandate.most'), value: most }]),
    ],
    rows: [
      ...(most === null
        ? [{ label: say('steps.mandate.most'), value: say('steps.mandate.most.unknown') }]
        : []),
      { label: say('steps.mandate.by'), value: offer.lenderName },
      ...(account
        ? [
            {
              label: say('steps.mandate.account'),
              value: `${account.ifscCode} ${shortAccount(account.maskedNumber)}`,
            },
          ]
        : []),
      { label: say('steps.mandate.first'), value: later(1) },
      { label: say('steps.mandate.last'), value: later(count) },
    ],
    limit:
      most === null
        ? {
            heading: say('steps.mandate.limit.unknown'),
            textKey: 'steps.mandate.limit.text.unknown',
          }
        : {
            heading: translate(language, 'steps.mandate.limit', { amount: most }),
            textKey: 'steps.mandate.limit.text',
          },
  };
}
