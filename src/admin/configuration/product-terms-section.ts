import type { FeePayee } from '../../loans/index.js';
import { ChoiceField, RupeesField } from '../../platform/index.js';
import { PercentField, WholeNumberField } from './number-fields.js';
import {
  GOLD_DOCUMENTS,
  type GoldDocument,
  UNPAID_CAUSES,
  UNPAID_INTERVALS,
  type UnpaidCause,
  type UnpaidInterval,
} from '../../settings/index.js';
import { type OwnText, OwnTextField } from './own-text.js';
import { PartField, PartsField, WordsField } from './part-fields.js';

const DESCRIPTION_CHARACTERS = 500;
/**
 * Five calendar days hold three working days, a weekend among them notwithstanding: the least that
 * the RBI lets a Key Facts Statement be valid for. Bank holidays can make it more.
 */
export const MIN_OFFER_DAYS = 5;
const LONGEST_TENURE_MONTHS = 600;
const MAX_VALUATION_RUPEES = 100_000;

/** A one-time charge; amounts in rupees. */
export class FeeSection {
  @OwnTextField()
  name: OwnText;

  @ChoiceField(['LENDER', 'THIRD_PARTY'])
  payee: FeePayee;

  @PercentField({ optional: true })
  percentOfPrincipal?: number;

  @RupeesField({ optional: true })
  flat?: number;

  /** Before tax. */
  @RupeesField({ optional: true })
  minimum?: number;

  /** Before tax. */
  @RupeesField({ optional: true })
  maximum?: number;

  @PercentField({ optional: true })
  gstPercent?: number;
}

/** What a charge comes to for an instalment that is not paid; amounts in rupees, before tax. */
export class UnpaidSection {
  @PercentField({ optional: true })
  percentOfInstalment?: number;

  @RupeesField({ optional: true })
  flat?: number;

  @PercentField({ optional: true })
  gstPercent?: number;

  @ChoiceField(UNPAID_INTERVALS)
  every: UnpaidInterval;

  /** Left out: pages show the charge's own text instead of its figures. */
  @ChoiceField(UNPAID_CAUSES, { optional: true })
  cause?: UnpaidCause;
}

export class ContingentChargeSection {
  @OwnTextField()
  name: OwnText;

  @OwnTextField({ most: DESCRIPTION_CHARACTERS })
  description: OwnText;

  /** Left out: no consequence of an unpaid instalment, or the configuration does not say what it comes to. */
  @PartField(UnpaidSection, { optional: true })
  ifUnpaid?: UnpaidSection;
}

export class SlabSection {
  /** Rupees; left out: no ceiling. */
  @RupeesField({ optional: true })
  ceiling?: number;

  @PercentField()
  ratioPercent: number;
}

/** How gold is dealt with that the lender holds. */
export class PledgeSection {
  /** What a branch wants to see besides the gold. Left out: pages say to ask. */
  @WordsField({ of: GOLD_DOCUMENTS, optional: true })
  documents?: GoldDocument[];

  /** From full repayment; 0: on the same day. Left out: the RBI's seven, which are the most. */
  @WholeNumberField({ least: 0, most: 7, optional: true })
  returnWithinWorkingDays?: number;

  /** Rupees for each day of a delay that is the lender's own. */
  @RupeesField({ optional: true })
  lateReturnPerDay?: number;

  /** Calendar days between the notice and the auction. */
  @WholeNumberField({ least: 1, most: 365, optional: true })
  auctionNoticeDays?: number;

  /** Rupees, tax included, from whoever then takes no loan; 0: nothing. */
  @WholeNumberField({ least: 0, most: MAX_VALUATION_RUPEES, optional: true })
  valuationWithoutLoan?: number;
}

export class GoldSection {
  /** Rupees. */
  @RupeesField()
  pricePerGram: number;

  /** Left out: the RBI's. */
  @PartsField(SlabSection, { least: 1, optional: true })
  slabs?: SlabSection[];

  @PartField(PledgeSection, { optional: true })
  pledge?: PledgeSection;
}

/** What a lender asks for one product; amounts in rupees. */
export class ProductTermsSection {
  @PercentField()
  annualRatePercent: number;

  @WholeNumberField({ least: 1, most: LONGEST_TENURE_MONTHS })
  tenureMonths: number;

  @RupeesField()
  minimumAmount: number;

  @RupeesField()
  maximumAmount: number;

  @PartsField(FeeSection)
  fees: FeeSection[];

  @PartsField(ContingentChargeSection)
  contingentCharges: ContingentChargeSection[];

  @WholeNumberField({ least: 1, most: 365 })
  coolingOffDays: number;

  @WholeNumberField({ least: MIN_OFFER_DAYS, most: 365 })
  offerValidDays: number;

  @PartField(GoldSection, { optional: true })
  gold?: GoldSection;
}
