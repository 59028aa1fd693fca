import type { TimesQuery } from '../../platform/index.js';

export const ORDER_TIMES: TimesQuery = leased('payment_orders');
export const REFUND_TIMES: TimesQuery = leased('payment_refunds');
export const NOTICE_TIMES: TimesQuery = () =>
  'SELECT next_attempt_at AS at FROM payment_inbox WHERE consumed_at IS NULL';
export const DONE_REFUND_TIMES: TimesQuery = () =>
  'SELECT tell_at AS at FROM payment_refunds WHERE tell_at IS NOT NULL';

function leased(table: 'payment_orders' | 'payment_refunds'): TimesQuery {
  return (now) => `
    SELECT CASE WHEN lease_until > ${now} THEN ${now} ELSE next_attempt_at END AS at
    FROM ${table} WHERE next_attempt_at IS NOT NULL`;
}
