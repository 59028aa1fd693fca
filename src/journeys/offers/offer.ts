import type { ContingentCharge, GrievanceOfficer, Paise } from '../../loans/index.js';
import type { LenderBranch } from '../../lenders/index.js';
import type { LoanFigures } from '../journey.js';

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

/** A lender's offer, its figures computed again here. */
export interface Offer {
  readonly id: string;
  readonly partnerId: string;
  readonly journeyId: string;
  readonly round: number;
  readonly lenderCode: string;
  readonly lenderReference: string;
  /** The lender's legal name. */
  readonly sellerName: string;
  readonly principal: Paise;
  readonly minimumAmount: Paise;
  readonly figures: LoanFigures;
  readonly terms: OfferTerms;
  readonly validUntil: Date;
  readonly createdAt: Date;
}
