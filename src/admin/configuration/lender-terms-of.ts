import { type FeeTerm, type LtvSlab, type Paise, rupeesToPaise } from '../../loans/index.js';
import { sha256 } from '../../platform/index.js';
import type { ContactSection } from './brand-section.js';
import { type CreditReportSection, type LenderSection, textsOfLender } from './lender-section.js';
import { englishOf, otherLanguagesOf } from './own-text.js';
import type {
  FeeSection,
  GoldSection,
  PledgeSection,
  ProductTermsSection,
  SlabSection,
} from './product-terms-section.js';
import type {
  CreditReportTerms,
  LenderContact,
  LenderTerms,
  PledgeTerms,
  ProductTerms,
  UnpaidCharge,
} from '../../settings/index.js';

export function lenderTermsOf(section: LenderSection): LenderTerms {
  const { grievanceOfficer, contact, creditReport, logoImage } = section;
  const texts = otherLanguagesOf(textsOfLender({ path: '', section }));
  return {
    products: Object.fromEntries(
      [...section.products].map(([code, terms]) => [code, productTermsOf(terms)]),
    ),
    branches: (section.branches ?? []).map(({ id, name, address, latitude, longitude, hours }) => ({
      id,
      name,
      address,
      latitude,
      longitude,
      ...withoutEmpty({
        hours: hours?.map(({ days, opens, closes }) => ({ days, opens, closes })),
      }),
    })),
    grievanceOfficer: { name: grievanceOfficer.name, ...contactOf(grievanceOfficer) },
    recoveryAgentsClause: englishOf(section.recoveryAgentsClause),
    grievanceRedressalClause: englishOf(section.grievanceRedressalClause),
    mayBeTransferred: section.mayBeTransferred,
    recoveryAgentLsp: section.recoveryAgentLsp ?? null,
    ...withoutEmpty({
      contact: contact && contactOf(contact),
      registration: section.registration,
      shortName: section.shortName,
      logoVersion: logoImage && sha256(logoImage.bytes),
      ombudsman: section.ombudsman,
      creditReport: creditReport && creditReportOf(creditReport),
      bindsAfter: section.bindsAfter,
      mandateLimitPercent: section.mandateLimitPercent,
      feeOnDecline: section.feeOnDecline,
      texts: Object.keys(texts).length > 0 ? texts : undefined,
      providers: section.providers?.map(({ step, name, host }) => ({ step, name, host })),
    }),
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
    coolingOffDays: section.coolingOffDays,
    offerValidDays: section.offerValidDays,
    ...withoutEmpty({
      unpaidCharges: unpaidChargesOf(section),
      gold: section.gold && goldTermsOf(section.gold),
    }),
  };
}

function unpaidChargesOf({ contingentCharges }: ProductTermsSection): UnpaidCharge[] | undefined {
  const charges = contingentCharges.flatMap(({ name, ifUnpaid }) => {
    if (!ifUnpaid) return [];
    const { percentOfInstalment, flat, gstPercent, every, cause } = ifUnpaid;
    const figures = { percentOfInstalment, flat: paiseOf(flat), gstPercent, cause };
    return { name: englishOf(name), every, ...withoutEmpty(figures) };
  });
  return charges.length > 0 ? charges : undefined;
}

function feeTermOf(fee: FeeSection): FeeTerm {
  return {
    name: englishOf(fee.name),
    payee: fee.payee,
    ...withoutEmpty({
      percentOfPrincipal: fee.percentOfPrincipal,
      flat: paiseOf(fee.flat),
      minimum: paiseOf(fee.minimum),
      maximum: paiseOf(fee.maximum),
      gstPercent: fee.gstPercent,
    }),
  };
}

function goldTermsOf({
  pricePerGram,
  slabs,
  pledge,
}: GoldSection): NonNullable<ProductTerms['gold']> {
  return {
    pricePerGram: rupeesToPaise(pricePerGram),
    ...withoutEmpty({ slabs: slabs?.map(slabOf), pledge: pledge && pledgeOf(pledge) }),
  };
}

function pledgeOf(pledge: PledgeSection): PledgeTerms {
  return withoutEmpty({
    documents: pledge.documents,
    returnWithinWorkingDays: pledge.returnWithinWorkingDays,
    lateReturnPerDay: paiseOf(pledge.lateReturnPerDay),
    auctionNoticeDays: pledge.auctionNoticeDays,
    valuationWithoutLoan: paiseOf(pledge.valuationWithoutLoan),
  });
}

function slabOf({ ceiling, ratioPercent }: SlabSection): LtvSlab {
  return { ceiling: paiseOf(ceiling) ?? null, ratioPercent };
}

function paiseOf(rupees: number | undefined): Paise | undefined {
  return rupees === undefined ? undefined : rupeesToPaise(rupees);
}

/** Equal terms always serialise alike. */
function withoutEmpty<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Partial<Fields>;
}
