import { describe, expect, it } from 'vitest';
import { paidMoneyOf } from './instant-loan-view.js';

const AT = new Date('2026-11-20T10:00:00Z');
const PAID = { orderId: 'pay_1', gatewayPaymentId: 'p1', isKept: false };

const returned = (
  gatewayPaymentId: string,
  status: 'REQUESTED' | 'PENDING' | 'DONE' | 'FAILED',
  orderId = 'pay_1',
) => ({
  id: 'rfd_1',
  orderId,
  gatewayPaymentId,
  gatewayRefundId: status === 'REQUESTED' ? null : 'back_1',
  status,
  amount: 59_000,
  currency: 'INR',
  statusAt: AT,
  isRevoked: false,
});

describe('what became of paid money', () => {
  it.each([
    ['REQUESTED', 'ON_ITS_WAY'],
    ['PENDING', 'ON_ITS_WAY'],
    ['DONE', 'SENT'],
    ['FAILED', 'STUCK'],
  ] as const)('shows a refund that is %s as %s', (status, standing) => {
    const refundReference = status === 'REQUESTED' ? null : 'back_1';
    const references = { paymentReference: 'p1', refundReference };
    const feeBack = { amount: 59_000, currency: 'INR', standing, at: AT, ...references };
    expect(paidMoneyOf(PAID, [returned('p1', status)])).toEqual({
      feeBack,
      othersBack: [],
    });
  });

  it('shows a refund as stuck that was revoked after it was done', () => {
    const takenBack = { ...returned('p1', 'DONE'), isRevoked: true };
    expect(paidMoneyOf(PAID, [takenBack]).feeBack?.standing).toBe('STUCK');
  });

  it.each([
    ['another payment of the same order', returned('p2', 'DONE')],
    ['the same payment id of another order', returned('p1', 'DONE', 'pay_2')],
  ])('does not take %s for the fee that counted', (_what, other) => {
    const { feeBack, othersBack } = paidMoneyOf(PAID, [other]);
    expect([feeBack, othersBack.length]).toEqual([null, 1]);
  });

  it('is nothing where nothing was paid', () => {
    const unpaid = { ...PAID, orderId: null, gatewayPaymentId: null };
    expect(paidMoneyOf(unpaid, []).feeBack).toBeNull();
    expect(paidMoneyOf(unpaid, [returned('p1', 'DONE')]).othersBack).toHaveLength(1);
  });
});
