import { describe, expect, it } from 'vitest';
import { settlementOf } from './fee-settlement.js';

const OVER = new Date('2026-11-28T10:00:00Z');
const paid = (feeOnDecline: 'REFUND' | 'KEPT') => [{ gatewayPaymentId: 'pay_1', feeOnDecline }];
const payment = (gatewayPaymentId = 'pay_1', isCounted = true) => ({ gatewayPaymentId, isCounted });

describe('the settlement of a payment for a fee', () => {
  it.each([
    ['KYC_PENDING', null, 'REFUND', null],
    ['SANCTIONED', OVER, 'REFUND', 'KEPT'],
    ['SANCTIONED', OVER, 'KEPT', 'KEPT'],
    ['REJECTED', OVER, 'REFUND', 'DECLINED'],
    ['REJECTED', OVER, 'KEPT', 'KEPT'],
    ['ABANDONED', OVER, 'REFUND', 'DECLINED'],
    ['ABANDONED', OVER, 'KEPT', 'KEPT'],
  ] as const)(
    'that counts, of a journey in %s (over: %s), terms %s: %s',
    (state, at, terms, is) => {
      expect(settlementOf({ state, finishedAt: at }, paid(terms), payment())).toBe(is);
    },
  );

  it('goes back when another payment counts, or the journey ended without one', () => {
    const open = { state: 'FEE_PENDING', finishedAt: null } as const;
    const ended = { state: 'ABANDONED', finishedAt: OVER } as const;
    const unpaid = [{ gatewayPaymentId: null, feeOnDecline: 'KEPT' }] as const;
    expect(settlementOf(open, paid('KEPT'), payment('pay_2'))).toBe('PAID_TWICE');
    expect(settlementOf(ended, unpaid, payment())).toBe('PAID_TOO_LATE');
    expect(settlementOf(open, unpaid, payment())).toBeNull();
  });

  it('goes back when it is not the amount of its order', () => {
    const sanctioned = { state: 'SANCTIONED', finishedAt: OVER } as const;
    expect(settlementOf(sanctioned, paid('KEPT'), payment('pay_1', false))).toBe('OTHER_AMOUNT');
  });
});
