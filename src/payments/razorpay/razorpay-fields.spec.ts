import { describe, expect, it } from 'vitest';
import { orderStateOf, paymentOf } from './razorpay-fields.js';

// The shapes of https://razorpay.com/docs/api/payments/payment-links/entity.
const LINK = {
  id: 'plink_ExjpAUN3gVHrPJ',
  amount: 117_900,
  amount_paid: 0,
  currency: 'INR',
  payments: null,
  reference_id: 'pay_1',
  short_url: 'https://rzp.io/i/nxrHnLJ',
  status: 'created',
};
const PAYMENT = {
  amount: '117900',
  created_at: 1_591_097_057,
  method: 'netbanking',
  payment_id: 'pay_EeFR5WTMcC5Ahq',
  plink_id: LINK.id,
  status: 'captured',
};

describe('a payment link as Razorpay shows it', () => {
  it('shows its payments, whose amounts come as numbers and as texts', () => {
    const state = orderStateOf({ ...LINK, status: 'paid', payments: [PAYMENT] });
    expect(state).toMatchObject({
      status: 'PAID',
      payments: [
        {
          id: 'pay_EeFR5WTMcC5Ahq',
          amount: 117_900,
          currency: 'INR',
          method: 'netbanking',
          paidAt: new Date('2020-06-02T11:24:17Z'),
        },
      ],
    });
  });

  it('shows what is captured alone as money', () => {
    const failed = { ...PAYMENT, status: 'failed' };
    expect(orderStateOf({ ...LINK, payments: [failed] })?.payments).toEqual([]);
  });

  it.each([
    ['created', 'OPEN'],
    ['partially_paid', 'OPEN'],
    ['paid', 'PAID'],
    ['expired', 'EXPIRED'],
    ['cancelled', 'CANCELLED'],
  ])('that is %s is %s', (state, status) => {
    expect(orderStateOf({ ...LINK, status: state })?.status).toBe(status);
  });

  it('is not understood without an id, or in an unknown state', () => {
    expect(orderStateOf({})).toBeNull();
    expect(orderStateOf({ ...LINK, id: 7 })).toBeNull();
    expect(orderStateOf({ ...LINK, status: 'issued' })).toBeNull();
    expect(orderStateOf({ ...LINK, status: undefined })).toBeNull();
    expect(orderStateOf({ ...LINK, status: 'constructor' })).toBeNull();
  });
});

describe('a payment as Razorpay shows it', () => {
  const ENTITY = {
    id: 'pay_1',
    amount: 100,
    currency: 'INR',
    status: 'captured',
    created_at: 1_700_000_000,
  };

  it('may lack its method', () => {
    expect(paymentOf(ENTITY)).toMatchObject({ id: 'pay_1', method: null });
  });

  it('is not read when something that counts is missing or no amount', () => {
    for (const missing of ['id', 'amount', 'currency', 'created_at', 'status']) {
      expect(paymentOf({ ...ENTITY, [missing]: undefined })).toBeNull();
    }
    for (const amount of [-1, 1.5, '1e3', '', '12.5', Number.NaN, 1e300, {}, null, true]) {
      expect(paymentOf({ ...ENTITY, amount })).toBeNull();
    }
  });
});
