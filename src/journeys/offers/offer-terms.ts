import type { ContingentCharge, GrievanceOfficer, LenderBranch } from '../../settings/index.js';

/** What stands behind an offer's figures, kept as it was when the offer was made. */
export interface OfferTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coolingOffDays: number;
  readonly grievanceOfficer: GrievanceOfficer;
  readonly recoveryAgentsClause: string;
  readonly grievanceRedressalClause: string;
  readonly mayBeTransferred: boolean;
  readonly recoveryAgentLsp: string | null;
  /** Where the gold can be brought; empty for other loans. */
  readonly branches: readonly LenderBranch[];
  readonly collateralExplanation: string | null;
}
