import type { Paise } from '../loans/index.js';
import { sha256 } from '../platform/index.js';
import {
  type BindingStep,
  type ContingentCharge,
  type CreditReportTerms,
  type GrievanceOfficer,
  type Lender,
  type LenderBranch,
  type LenderContact,
  type LenderKind,
  type Ombudsman,
  joinedTexts,
  type OwnTexts,
  type PledgeTerms,
  type Product,
  textsOf,
  type UnpaidCharge,
} from '../settings/index.js';
import type { CoLender, GoldValuation, LenderOffer } from './lender-port.js';
import { known } from './question-payload.js';

/** What stands behind an offer's figures, kept as it was when the offer was made. */
export interface OfferTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  /** Those of them that an unpaid instalment costs, where the lender or the configuration says what they come to. */
  readonly unpaidCharges?: readonly UnpaidCharge[];
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
  /** What running text calls the lender, where the configuration says so. */
  readonly lenderShortName?: string;
  /** Path of the lender's logo on this service, where the configuration has one. */
  readonly lenderLogo?: string;
  /** Where borrowers can complain after the lender, where it is not as for its kind. */
  readonly ombudsman?: Ombudsman;
  /** How the lender asks for the credit report, where the configuration says so. */
  readonly creditReport?: CreditReportTerms;
  /** The step after which the applicant, by these terms, can no longer choose another offer; left out: none. */
  readonly bindsAfter?: BindingStep;
  /** The most that one debit of its mandate may have, in percent of the instalment, where the configuration says so. */
  readonly mandateLimitPercent?: number;
  /** What is said here, the offer's charges and the product's name in other languages than English. */
  readonly texts: OwnTexts;
  /** What only some lenders state. */
  readonly maximumAmount?: Paise;
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
  /** How the lender deals with the gold, where the configuration says so. */
  readonly pledge?: PledgeTerms;
}

/**
 * The lender's own word, and what is configured where it has said nothing.
 * @param product null: the configuration has it no more
 */
export function termsOf(
  lender: Lender,
  productCode: string,
  offer: LenderOffer,
  product: Product | null,
): OfferTerms {
  const { terms, kind } = lender;
  const asked = terms.products[productCode];
  const { maximumAmount, coLender, goldValuation, collateralExplanation } = offer;
  const { contingentCharges, unpaidCharges } = chargesOf(offer) ?? asked;
  const texts = textsOf(joinedTexts(joinedTexts(product?.texts, terms.texts), offer.texts), [
    product?.displayName ?? '',
    collateralExplanation ?? '',
    terms.recoveryAgentsClause,
    terms.grievanceRedressalClause,
    ...offer.fees.map(({ name }) => name),
    ...contingentCharges.flatMap(({ name, description }) => [name, description]),
  ]);
  return known({
    contingentCharges,
    unpaidCharges,
    coolingOffDays: offer.coolingOffDays ?? asked.coolingOffDays,
    grievanceOfficer: terms.grievanceOfficer,
    contact: terms.contact,
    recoveryAgentsClause: terms.recoveryAgentsClause,
    grievanceRedressalClause: terms.grievanceRedressalClause,
    mayBeTransferred: terms.mayBeTransferred,
    recoveryAgentLsp: terms.recoveryAgentLsp,
    branches: branchesOf(lender, productCode, offer),
    lenderKind: kind ?? undefined,
    texts,
    lenderRegistration: terms.registration,
    lenderShortName: terms.shortName,
    lenderLogo: terms.logoVersion && `/assets/lender/${lender.code}?v=${terms.logoVersion}`,
    ombudsman: terms.ombudsman,
    creditReport: terms.creditReport,
    bindsAfter: terms.bindsAfter,
    mandateLimitPercent: terms.mandateLimitPercent,
    collateralExplanation,
    maximumAmount,
    coLender,
    goldValuation,
    pledge: asked.gold?.pledge,
  });
}

/** The charges that the lender states; null where it leaves them to the configuration. */
export function chargesOf({
  contingentCharges,
}: LenderOffer): Pick<OfferTerms, 'contingentCharges' | 'unpaidCharges'> | null {
  if (!contingentCharges) return null;
  const unpaidCharges = contingentCharges.flatMap(({ name, ifUnpaid }) =>
    ifUnpaid ? [{ name, ...ifUnpaid }] : [],
  );
  return known({
    contingentCharges: contingentCharges.map(({ name, description }) => ({ name, description })),
    unpaidCharges: unpaidCharges.length > 0 ? unpaidCharges : undefined,
  });
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
