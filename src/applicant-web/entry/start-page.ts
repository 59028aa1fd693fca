import type { LinkState } from '../../journeys/index.js';
import { formatRupees, type Language, Page, translate } from '../../platform/index.js';
import { amountModel } from './amount-form.js';

/** What to have at hand. */
function needsIn(language: Language) {
  const needs = [
    { mark: 'clock', name: 'time', hasNote: true },
    { mark: 'phone', name: 'phone', hasNote: true },
    { mark: 'id', name: 'identity' },
    { mark: 'bank', name: 'bank' },
  ];
  return needs.map(({ mark, name, hasNote }) => ({
    mark,
    text: translate(language, `entry.start.${name}`),
    ...(hasNote && { note: translate(language, `entry.start.${name}.note`) }),
  }));
}

/** The first page behind a link. It asks for the amount first, where the partner sent none. */
export function startPage(
  { amount, loanAmount }: Pick<LinkState, 'amount' | 'loanAmount'>,
  language: Language,
  more: object = {},
): Page {
  return new Page('entry/start', {
    titleKey: 'entry.start',
    amount: formatRupees(loanAmount),
    needs: needsIn(language),
    ...(amount && amountModel(amount)),
    ...more,
  });
}
