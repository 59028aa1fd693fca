import { type FeeTerm, type LtvSlab, type Paise, rupeesToPaise } from '../../loans/index.js';
import { sha256 } from '../../platform/index.js';
import type { ContactSection } from './contact-section.js';
import type { CreditReportSection, LenderSection } from './lender-section.js';
import { englishOf, otherLanguagesOf } from './own-text.js';
import type { ProviderSection } from './provider-section.js';
import type {
  FeeSection,
  GoldSection,
  PledgeSection,
  ProductTermsSection,
  SlabSection,
} from './product-terms-section.js';
import { textsOfLender } from './texts-of.js';
import type {
  CreditReportTerms,
  LenderContact,
  LenderTerms,
  PledgeTerms,
  ProductTerms,
  StepProvider,
  UnpaidCharge,
} from '../../settings/index.js';

/** A lender's terms as the service keeps them: rupees as paise, plain objects. */
export function lenderTermsOf(section: LenderSection): LenderTerms {
  const { name, phone, email } = section.grievanceOfficer;
  const texts = otherLanguagesOf(textsOfLender({ path: '', section }));
  return {
    products: Object.fromEntries(
      [...section.products].map(([code, terms]) => [code, productTermsOf(terms)]),
    ),
    branches: (section.branches ?? []).map((branch) => ({
      id: branch.id,
      name: branch.name,
      address: branch.address,
      latitude: branch.latitude,
      longitude: branch.longitude,
      ...given(
        'hours',
        branch.hours?.map(({ days, opens, closes }) => ({ days, opens, closes })),
      ),
    })),
    grievanceOfficer: { name, phone, email },
    ...given('contact', section.contact && contactOf(section.contact)),
    recoveryAgentsClause: englishOf(section.recoveryAgentsClause),
    grievanceRedressalClause: englishOf(section.grievanceRedressalClause),
    mayBeTransferred: section.mayBeTransferred,
    recoveryAgentLsp: section.recoveryAgentLsp ?? null,
    ...given('registration', section.registration),
    ...given('shortName', section.shortName),
    ...given('logoVersion', section.logoImage && sha256(section.logoImage.bytes)),
    ...given('ombudsman', section.ombudsman),
    ...given('creditReport', section.creditReport && creditReportOf(section.creditReport)),
    ...given('bindsAfter', section.bindsAfter),
    ...given('mandateLimitPercent', section.mandateLimitPercent),
    ...given('feeOnDecline', section.feeOnDecline),
    ...(Object.keys(texts).length > 0 && { texts }),
    ...given('providers', section.providers?.map(providerOf)),
  };
}

function contactOf({ phone, email }: ContactSection): LenderContact {
  return { phone, email };
}

function creditReportOf({
  bureaus,
  forOffer,
  afterChoice,
}: CreditReportSection): CreditReportTerms {
  return { bureaus, forOffer, afterChoice };
}

function providerOf({ step, name, host }: ProviderSection): StepProvider {
  return { step, name, host };
}

export function productTermsOf(section: ProductTermsSection): ProductTerms {
  return {
    annualRatePercent: section.annualRatePercent,
    tenureMonths: section.tenureMonths,
    minimumAmount: rupeesToPaise(section.minimumAmount),
    maximumAmount: rupeesToPaise(section.maximumAmount),
    fees: section.fees.map(feeTermOf),
    contingentCharges: section.contingentCharges.map(({ name, description }) => ({
      name: englishOf(name),
      description: englishOf(description),
    })),
    ...given('unpaidCharges', unpaidChargesOf(section)),
    coolingOffDays: section.coolingOffDays,
    offerValidDays: section.offerValidDays,
    ...(section.gold && { gold: goldTermsOf(section.gold) }),
  };
}

function unpaidChargesOf({ contingentCharges }: ProductTermsSection): UnpaidCharge[] | null {
  const charges = contingentCharges.flatMap(({ name, ifUnpaid }) => {
    if (!ifUnpaid) return [];
    const { percentOfInstalment, flat, gstPercent, every, cause } = ifUnpaid;
    return {
      name: englishOf(name),
      ...given('percentOfInstalment', percentOfInstalment),
      ...given('flat', paiseOf(flat)),
      ...given('gstPercent', gstPercent),
      every,
      ...given('cause', cause),
    };
  });
  return charges.length > 0 ? charges : null;
}

function feeTermOf(fee: FeeSection): FeeTerm {
  return {
    name: englishOf(fee.name),
    payee: fee.payee,
    ...given('percentOfPrincipal', fee.percentOfPrincipal),
    ...given('flat', paiseOf(fee.flat)),
    ...given('minimum', paiseOf(fee.minimum)),
    ...given('maximum', paiseOf(fee.maximum)),
    ...given('gstPercent', fee.gstPercent),
  };
}

function goldTermsOf({
  pricePerGram,
  slabs,
  pledge,
}: GoldSection): NonNullable<ProductTerms['gold']> {
  return {
    pricePerGram: rupeesToPaise(pricePerGram),
    ...given('slabs', slabs?.map(slabOf)),
    ...given('pledge', pledge && pledgeOf(pledge)),
  };
}

function pledgeOf(pledge: PledgeSection): PledgeTerms {
  return {
    ...given('documents', pledge.documents),
    ...given('returnWithinWorkingDays', pledge.returnWithinWorkingDays),
    ...given('lateReturnPerDay', paiseOf(pledge.lateReturnPerDay)),
    ...given('auctionNoticeDays', pledge.auctionNoticeDays),
    ...given('valuationWithoutLoan', paiseOf(pledge.valuationWithoutLoan)),
  };
}

function slabOf({ ceiling, ratioPercent }: SlabSection): LtvSlab {
  return { ceiling: paiseOf(ceiling) ?? null, ratioPercent };
}

function paiseOf(rupees: number | undefined): Paise | undefined {
  return rupees === undefined ? undefined : rupeesToPaise(rupees);
}

/** A field that is there only when it has a value, so that equal terms always serialise alike. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined | null,
): Partial<Record<Name, Value>> {
  if (value === undefined || value === null) return {};
  return { [name]: value } as Record<Name, Value>;
}
