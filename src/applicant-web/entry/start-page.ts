import type { LinkState } from '../../journeys/index.js';
import { formatRupees, type Language, Page, translate } from '../../platform/index.js';
import { amountModel } from './amount-form.js';

const NEEDS = [
  { mark: 'clock', key: 'entry.start.time', noteKey: 'entry.start.time.note' },
  { mark: 'phone', key: 'entry.start.phone', noteKey: 'entry.start.phone.note' },
  { mark: 'id', key: 'entry.start.identity' },
  { mark: 'bank', key: 'entry.start.bank' },
];

/** Asks for the amount where the partner sent none. */
export function startPage(
  { amount, loanAmount }: Pick<LinkState, 'amount' | 'loanAmount'>,
  language: Language,
  more: object = {},
): Page {
  return new Page('entry/start', {
    titleKey: 'entry.start.title',
    titleValues: { amount: formatRupees(loanAmount) },
    amount: formatRupees(loanAmount),
    needs: NEEDS.map(({ mark, key, noteKey }) => ({
      mark,
      text: translate(language, key),
      ...(noteKey && { note: translate(language, noteKey) }),
    })),
    ...(amount && amountModel(amount)),
    ...more,
  });
}
