import { expect, it } from 'vitest';
import { PAYMENT_AUDIT_SOURCE } from './payment-audit.js';

it.each([
  ['CAPTURED_OTHER_AMOUNT', /or another currency \(USD 1179\.50, order pay_1/],
  ['REFUND_REQUESTED', /\(USD 1179\.50, because it is not what was ordered, order pay_1/],
])('the story of %s names the currency of the money', (trigger, text) => {
  const reason = trigger === 'REFUND_REQUESTED' ? { reason: 'OTHER_AMOUNT' } : {};
  const detail = JSON.stringify({ amount: 117_950, currency: 'USD', ...reason });
  expect(PAYMENT_AUDIT_SOURCE.tell({ trigger, order_id: 'pay_1', detail }, 'INSERT')).toMatch(text);
});
