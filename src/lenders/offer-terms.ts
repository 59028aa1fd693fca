import type { Paise } from '../loans/index.js';
import { sha256 } from '../platform/index.js';
import {
  type BindingStep,
  type ContingentCharge,
  type CreditReportTerms,
  type FeeOnDecline,
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

/**
 * The terms as they were when the offer was made. The lender or the configuration may omit optional fields.
 */
export interface OfferTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  readonly unpaidCharges?: readonly UnpaidCharge[];
  readonly coolingOffDays: number;
  readonly grievanceOfficer: GrievanceOfficer;
  readonly contact?: LenderContact;
  readonly recoveryAgentsClause: string;
  readonly grievanceRedressalClause: string;
  readonly mayBeTransferred: boolean;
  readonly recoveryAgentLsp: string | null;
  /** Where the gold can be brought; empty for other loans. */
  readonly branches: readonly LenderBranch[];
  readonly collateralExplanation: string | null;
  readonly lenderKind?: LenderKind;
  readonly lenderRegistration?: string;
  readonly lenderShortName?: string;
  readonly lenderLogo?: string;
  /** Absent: that of the lender's kind. */
  readonly ombudsman?: Ombudsman;
  readonly creditReport?: CreditReportTerms;
  /** After this step the applicant can no longer choose another offer. */
  readonly bindsAfter?: BindingStep;
  /** The largest single debit, in percent of the instalment. */
  readonly mandateLimitPercent?: number;
  /** Translations of these texts, the charges and the product's name. */
  readonly texts: OwnTexts;
  readonly maximumAmount?: Paise;
  readonly coLender?: CoLender;
  readonly goldValuation?: GoldValuation;
  readonly pledge?: PledgeTerms;
  /** Only where the charges are paid before the loan. */
  readonly feeOnDecline?: FeeOnDecline;
}

/**
 * The lender's own terms, else the configured ones.
 * @param product null: no longer configured
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

/** @returns null when the lender leaves its charges to the configuration */
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

/** Gives a lender's own branch a stable internal id. */
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
