import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canMove, isEnded, PAYMENT_MOVES, type PaymentStatus } from './payment-status.js';

const STATUSES = Object.keys(PAYMENT_MOVES) as PaymentStatus[];

function after(start: PaymentStatus, news: readonly PaymentStatus[]): PaymentStatus {
  return news.reduce((status, next) => (canMove(status, next) ? next : status), start);
}

describe('the statuses of a payment order', () => {
  it('end the same whatever the order and the repetition of the news', () => {
    const news = fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 6 });
    const shuffled = news.chain((all) =>
      fc.record({
        all: fc.constant(all),
        again: fc.shuffledSubarray([...all, ...all], {
          minLength: all.length * 2,
          maxLength: all.length * 2,
        }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ all, again }) => {
        expect(after('NEW', again)).toBe(after('NEW', all));
      }),
    );
  });

  it('never move back, and money is the end of every way', () => {
    for (const from of STATUSES) {
      expect(canMove(from, from)).toBe(false);
      for (const to of PAYMENT_MOVES[from]) expect(canMove(to, from)).toBe(false);
      expect(after(from, ['PAID'])).toBe('PAID');
    }
  });

  it('tell whether the page takes a payment', () => {
    expect(STATUSES.filter(isEnded)).toEqual(['EXPIRED', 'CANCELLED', 'PAID']);
  });
});
