import type { Quote, ScheduleRow } from '../../loans/index.js';
import type { ContingentCharge, GrievanceOfficer, OwnTexts } from '../../settings/index.js';
import { Decimal } from 'decimal.js';
import { parseIsoInstant } from '../../platform/index.js';

/** Part 2, row 5; percent. */
export interface CollaborativeLending {
  originatingLender: { name: string; sharePercent: number };
  partnerLender: { name: string; sharePercent: number };
  blendedRatePercent: number;
}

/** Nothing has a default: a fact is given or not stated. */
export interface KeyFactsInput {
  offerId: string;
  templateVersion: string;
  /** ISO 8601 with an offset. */
  issuedAt: string;
  /** ISO 8601 with an offset, after `issuedAt`; the RBI requires at least three working days. */
  validUntil: string;
  lenderLegalName: string;
  lspName: string;
  grievanceOfficer: GrievanceOfficer;
  loanType: string;
  quote: Quote;
  schedule: readonly ScheduleRow[];
  contingentCharges: readonly ContingentCharge[];
  /** Whether one-time charges are paid before the loan; otherwise deducted from it. */
  areChargesPaidUpFront?: boolean;
  /** Penalty-free days; at least one (RBI Digital Lending Directions, 2025). */
  coolingOffDays: number;
  /** The loan agreement's clause: its number or its text. */
  recoveryAgentsClause: string;
  grievanceRedressalClause: string;
  mayBeTransferred: boolean;
  /** The recovery agent; null for none. */
  recoveryAgentLsp: string | null;
  collaborativeLending?: CollaborativeLending | null;
  /** For gold: how the lender arrived at the amount. */
  collateralExplanation?: string | null;
  texts: OwnTexts;
}

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

/** @throws RangeError without an offset, or for malformed text */
export function statementInstant(text: string): Date {
  const instant = parseIsoInstant(text);
  if (!instant) throw new RangeError(`Not an ISO 8601 date and time with an offset: '${text}'`);
  return instant;
}
