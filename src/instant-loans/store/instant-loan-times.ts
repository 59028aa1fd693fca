import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import type { TimesQuery } from '../../platform/index.js';

/** When the lenders' deadline comes, also while the applicant compares offers. */
export const INSTANT_OFFER_TIMES: TimesQuery = () => `
  SELECT offers_due_at AS at FROM instant_loans
  WHERE status = 'PAYMENT_PENDING' AND offers_due_at IS NOT NULL`;

/** When applications are over unpaid, and when the operator is told of a lender's silence. */
export const INSTANT_LOAN_TIMES: TimesQuery = () => `
  SELECT CASE WHEN payment_order_id IS NULL
    THEN expires_at - ${SHORTEST_PAGE_LIFE_MS} * interval '1 millisecond' ELSE expires_at END AS at
  FROM instant_loans
  WHERE status IN ('PAYMENT_PENDING', 'PAYMENT_FAILED') AND called_off_at IS NULL
  UNION ALL
  SELECT decision_due_at FROM instant_loans WHERE decision_due_at IS NOT NULL`;
