import { Decimal } from 'decimal.js';
import type { CollaborativeLending } from './key-facts-input.js';

/** With a co-lender the rate of the loan is that which both together charge. */
export function collaborationOf(
  lenderName: string,
  annualRatePercent: number,
  coLender: { readonly name: string; readonly sharePercent: number } | undefined,
): CollaborativeLending | null {
  if (!coLender) return null;
  const ownShare = new Decimal(100).minus(coLender.sharePercent).toNumber();
  return {
    originatingLender: { name: lenderName, sharePercent: ownShare },
    partnerLender: { name: coLender.name, sharePercent: coLender.sharePercent },
    blendedRatePercent: annualRatePercent,
  };
}
