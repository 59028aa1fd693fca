import type { TimesQuery } from '../../platform/index.js';

/** When the gateway is asked for an order; one that is being asked for is due. */
export const ORDER_TIMES: TimesQuery = leased('payment_orders');
/** The same for a refund. */
export const REFUND_TIMES: TimesQuery = leased('payment_refunds');
/** When what the gateway told is taken up. */
export const NOTICE_TIMES: TimesQuery = () =>
  'SELECT next_attempt_at AS at FROM payment_inbox WHERE consumed_at IS NULL';
/** When a loan is told that its money is back. */
export const DONE_REFUND_TIMES: TimesQuery = () =>
  'SELECT tell_at AS at FROM payment_refunds WHERE tell_at IS NOT NULL';

function leased(table: 'payment_orders' | 'payment_refunds'): TimesQuery {
  return (now) => `
    SELECT CASE WHEN lease_until > ${now} THEN ${now} ELSE next_attempt_at END AS at
    FROM ${table} WHERE next_attempt_at IS NOT NULL`;
}
