import type { Quote, ScheduleRow } from '../../loans/index.js';
import type { ContingentCharge, GrievanceOfficer, OwnTexts } from '../../settings/index.js';

/** Two lenders sharing one loan (Part 2, row 5); shares and rate in percent. */
export interface CollaborativeLending {
  originatingLender: { name: string; sharePercent: number };
  partnerLender: { name: string; sharePercent: number };
  blendedRatePercent: number;
}

/** Every fact that the statement needs. Nothing has a default: a fact is either given or not stated. */
export interface KeyFactsInput {
  /** Shown as the loan proposal number. */
  offerId: string;
  /** The version of the page's template, so that an agreed statement can be shown as it was. */
  templateVersion: string;
  /** ISO 8601 with an offset. */
  issuedAt: string;
  /** ISO 8601 with an offset, after `issuedAt`; the RBI asks for at least three working days. */
  validUntil: string;
  lenderLegalName: string;
  /** The lending service provider: the operator's display name. */
  lspName: string;
  grievanceOfficer: GrievanceOfficer;
  /** For people, such as 'Personal loan'. */
  loanType: string;
  quote: Quote;
  /** From repaymentSchedule, for the same terms as the quote. */
  schedule: readonly ScheduleRow[];
  contingentCharges: readonly ContingentCharge[];
  /** Whether the one-time charges are paid before the loan, all of which then arrives; else they are deducted. */
  areChargesPaidUpFront?: boolean;
  /** Days in which no penalty is charged on prepayment; at least one (RBI Digital Lending Directions, 2025). */
  coolingOffDays: number;
  /** The clause of the loan agreement on the engagement of recovery agents: its number or its text. */
  recoveryAgentsClause: string;
  /** The clause of the loan agreement on the grievance redressal mechanism. */
  grievanceRedressalClause: string;
  /** Whether the loan is, or may be, transferred to other lenders or securitised. */
  mayBeTransferred: boolean;
  /** The lending service provider that may approach the borrower as recovery agent; null when none does. */
  recoveryAgentLsp: string | null;
  /** Left out when one lender lends alone. */
  collaborativeLending?: CollaborativeLending | null;
  /** For gold: the explanation that came with the cap. */
  collateralExplanation?: string | null;
  /** The lender's and the product's own texts in other languages than English. */
  texts: OwnTexts;
}
