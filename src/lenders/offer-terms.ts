import type { Paise } from '../loans/index.js';
import { sha256 } from '../platform/index.js';
import type {
  BindingStep,
  ContingentCharge,
  GrievanceOfficer,
  Lender,
  LenderBranch,
  LenderContact,
  LenderKind,
  PledgeTerms,
} from '../settings/index.js';
import type { CoLender, GoldValuation, LenderOffer } from './lender-port.js';

/** What stands behind an offer's figures, kept as it was when the offer was made. */
export interface OfferTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coolingOffDays: number;
  readonly grievanceOfficer: GrievanceOfficer;
  /** Where borrowers reach the lender, where the configuration says so. */
  readonly contact?: LenderContact;
  readonly recoveryAgentsClause: string;
  readonly grievanceRedressalClause: string;
  readonly mayBeTransferred: boolean;
  readonly recoveryAgentLsp: string | null;
  /** Where the gold can be brought; empty for other loans. */
  readonly branches: readonly LenderBranch[];
  readonly collateralExplanation: string | null;
  /** What the lender is in law, and its registration, where the configuration says so. */
  readonly lenderKind?: LenderKind;
  readonly lenderRegistration?: string;
  /** The step after which the applicant, by these terms, can no longer choose another offer; left out: none. */
  readonly bindsAfter?: BindingStep;
  /** What only some lenders state. */
  readonly maximumAmount?: Paise;
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
  /** How the lender deals with the gold, where the configuration says so. */
  readonly pledge?: PledgeTerms;
}

/** The lender's own word, and what is configured where it has said nothing. */
export function termsOf(lender: Lender, productCode: string, offer: LenderOffer): OfferTerms {
  const { terms, kind } = lender;
  const product = terms.products[productCode];
  const { maximumAmount, coLender, goldValuation } = offer;
  return {
    contingentCharges: offer.contingentCharges ?? product.contingentCharges,
    coolingOffDays: offer.coolingOffDays ?? product.coolingOffDays,
    grievanceOfficer: terms.grievanceOfficer,
    ...(terms.contact && { contact: terms.contact }),
    recoveryAgentsClause: terms.recoveryAgentsClause,
    grievanceRedressalClause: terms.grievanceRedressalClause,
    mayBeTransferred: terms.mayBeTransferred,
    recoveryAgentLsp: terms.recoveryAgentLsp,
    branches: branchesOf(lender, productCode, offer),
    ...(kind && { lenderKind: kind }),
    ...(terms.registration && { lenderRegistration: terms.registration }),
    ...(terms.bindsAfter && { bindsAfter: terms.bindsAfter }),
    collateralExplanation: offer.collateralExplanation,
    ...(maximumAmount !== undefined && { maximumAmount }),
    ...(coLender && { coLender }),
    ...(goldValuation && { goldValuation }),
    ...(product.gold?.pledge && { pledge: product.gold.pledge }),
  };
}

/** A branch of the lender's own gets an id in the form of ours, the same each time. */
export function branchesOf(
  { code, terms }: Lender,
  productCode: string,
  { branches }: LenderOffer,
): readonly LenderBranch[] {
  if (!terms.products[productCode].gold) return [];
  if (!branches) return terms.branches;
  const once = new Map(branches.map((branch) => [branch.reference, branch]));
  return [...once.values()].map((branch) => ({
    ...branch,
    id: `brn_${sha256(`${code} ${branch.reference}`).slice(0, 32)}`,
  }));
}
