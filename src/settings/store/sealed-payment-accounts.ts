import type { SealedSamples } from '../../platform/index.js';
import { PAYMENT_ACCOUNT_PURPOSE } from '../payment-accounts.js';

/** One for each name of a master key that lenders' payment accounts are sealed under. */
export const sealedPaymentAccounts: SealedSamples = (dataSource) =>
  dataSource.query(
    `SELECT DISTINCT ON (split_part(payment_sealed, ':', 2))
       split_part(payment_sealed, ':', 2) AS name, payment_sealed AS sealed, $1 AS purpose
     FROM lenders WHERE payment_sealed IS NOT NULL`,
    [PAYMENT_ACCOUNT_PURPOSE],
  );
