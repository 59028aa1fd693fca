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

/** Without defaults: each fact is given or not stated. */
export interface KeyFactsInput {
  offerId: string;
  templateVersion: string;
  /** ISO 8601 with an offset. */
  issuedAt: string;
  /** ISO 8601 with an offset; the RBI requires at least three working days. */
  validUntil: string;
  lenderLegalName: string;
  lspName: string;
  grievanceOfficer: GrievanceOfficer;
  loanType: string;
  quote: Quote;
  schedule: readonly ScheduleRow[];
  contingentCharges: readonly ContingentCharge[];
  /** Otherwise deducted from the loan. */
  areChargesPaidUpFront?: boolean;
  /** At least one (RBI Digital Lending Directions, 2025). */
  coolingOffDays: number;
  /** The loan agreement's clause: number or text. */
  recoveryAgentsClause: string;
  grievanceRedressalClause: string;
  mayBeTransferred: boolean;
  /** Null: none. */
  recoveryAgentLsp: string | null;
  collaborativeLending?: CollaborativeLending | null;
  /** For gold: how the lender computed the amount. */
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
