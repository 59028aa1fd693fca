import type { CoLender, GoldValuation } from '../../lenders/index.js';
import type { Paise } from '../../loans/index.js';
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
  /** What only some lenders state. */
  readonly maximumAmount?: Paise;
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
}
