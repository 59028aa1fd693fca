import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import type { TimesQuery } from '../../platform/index.js';

/** Lenders' deadlines, also while offers are compared. */
export const INSTANT_OFFER_TIMES: TimesQuery = () => `
  SELECT offers_due_at AS at FROM instant_loans
  WHERE status = 'PAYMENT_PENDING' AND offers_due_at IS NOT NULL`;

/** When unpaid applications end, and when missing decisions are flagged. */
export const INSTANT_LOAN_TIMES: TimesQuery = () => `
  SELECT CASE WHEN payment_order_id IS NULL
    THEN expires_at - ${SHORTEST_PAGE_LIFE_MS} * interval '1 millisecond' ELSE expires_at END AS at
  FROM instant_loans
  WHERE status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL
  UNION ALL
  SELECT decision_due_at FROM instant_loans WHERE decision_due_at IS NOT NULL`;
