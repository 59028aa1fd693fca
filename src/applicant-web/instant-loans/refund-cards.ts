import type { MoneyBack } from '../../instant-loans/index.js';
import { formatMoney, say, sayDateTime, type Shown } from '../../platform/index.js';
import { type CardRow, row } from '../offers/offer-card.js';

/** A row of the `ui/time` partial. */
export interface Moment {
  readonly text: Shown;
  readonly note?: Shown;
  /** A text that contains our phone number. */
  readonly noteKey?: string;
  readonly isDone?: boolean;
  readonly isNow?: boolean;
}

export function refundCards(all: readonly MoneyBack[]) {
  return all.map((back) => ({
    moments: refundMoments(back),
    numbers: refundNumbers(back),
  }));
}

type ShownRefund = Pick<MoneyBack, 'amount' | 'currency' | 'standing'> &
  Partial<Pick<MoneyBack, 'at'>>;

export function refundMoments(back: ShownRefund): Moment[] {
  const { currency, standing, at } = back;
  const amount = formatMoney(back.amount, currency);
  const inBank = { text: say('instant.back.bank'), noteKey: 'instant.back.bank.note' };
  switch (standing) {
    case 'SENT':
      return [
        {
          text: say('instant.back.sent', { amount }),
          note: at && sayDateTime(at),
          isDone: true,
        },
        { ...inBank, isNow: true },
      ];
    case 'STUCK':
      return [
        {
          text: say('instant.back.stuck', { amount }),
          noteKey: 'instant.back.stuck.note',
          isNow: true,
        },
        inBank,
      ];
    case 'ON_ITS_WAY': {
      // The registered SMS text requires rupees.
      const note = currency === 'INR' && { note: say('instant.back.goes.sms') };
      return [{ text: say('instant.back.goes', { amount }), ...note, isNow: true }, inBank];
    }
  }
}

export function refundNumbers({
  paymentReference,
  refundReference,
}: {
  readonly paymentReference: string | null;
  readonly refundReference?: string | null;
}): CardRow[] {
  return [
    ...(paymentReference ? [row('instant.loan.payment', paymentReference)] : []),
    ...(refundReference ? [row('instant.numbers.refund', refundReference)] : []),
  ];
}
