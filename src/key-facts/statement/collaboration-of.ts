import { Decimal } from 'decimal.js';
import type { CollaborativeLending } from './key-facts-input.js';

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
