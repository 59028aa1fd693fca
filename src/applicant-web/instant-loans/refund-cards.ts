import type { MoneyBack } from '../../instant-loans/index.js';
import { formatDateTime, formatMoney, type Language, translate } from '../../platform/index.js';
import type { CardRow } from '../offers/offer-card.js';

/** A row of the `ui/time` partial. */
export interface Moment {
  readonly text: string;
  readonly note?: string;
  /** A text that contains our phone number. */
  readonly noteKey?: string;
  readonly isDone?: boolean;
  readonly isNow?: boolean;
}

interface RefundCard {
  readonly moments: readonly Moment[];
  readonly numbers: readonly CardRow[];
}

export function refundCards(all: readonly MoneyBack[], language: Language): RefundCard[] {
  return all.map((back) => ({
    moments: refundMoments(back, language),
    numbers: refundNumbers(back, language),
  }));
}

type ShownRefund = Pick<MoneyBack, 'amount' | 'currency' | 'standing'> &
  Partial<Pick<MoneyBack, 'at'>>;

export function refundMoments(back: ShownRefund, language: Language): Moment[] {
  const { currency, standing, at } = back;
  const amount = formatMoney(back.amount, currency);
  const say = (key: string) => translate(language, key, { amount });
  const inBank = { text: say('instant.back.bank'), noteKey: 'instant.back.bank.note' };
  switch (standing) {
    case 'SENT':
      return [
        {
          text: say('instant.back.sent'),
          ...(at && { note: formatDateTime(language, at) }),
          isDone: true,
        },
        { ...inBank, isNow: true },
      ];
    case 'STUCK':
      return [
        { text: say('instant.back.stuck'), noteKey: 'instant.back.stuck.note', isNow: true },
        inBank,
      ];
    case 'ON_ITS_WAY': {
      // The registered SMS text requires rupees.
      const note = currency === 'INR' && { note: say('instant.back.goes.sms') };
      return [{ text: say('instant.back.goes'), ...note, isNow: true }, inBank];
    }
  }
}

export function refundNumbers(
  {
    paymentReference,
    refundReference,
  }: { readonly paymentReference: string | null; readonly refundReference?: string | null },
  language: Language,
): CardRow[] {
  const row = (key: string, value: string | null | undefined) =>
    value ? [{ label: translate(language, key), value }] : [];
  return [
    ...row('instant.loan.payment', paymentReference),
    ...row('instant.numbers.refund', refundReference),
  ];
}
