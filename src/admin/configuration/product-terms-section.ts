import type { FeePayee } from '../../loans/index.js';
import { ChoiceField, RupeesField } from '../../platform/index.js';
import { PartField, PartsField, PercentField, WholeNumberField, WordsField } from './fields.js';
import {
  GOLD_DOCUMENTS,
  type GoldDocument,
  UNPAID_CAUSES,
  UNPAID_INTERVALS,
  type UnpaidCause,
  type UnpaidInterval,
} from '../../settings/index.js';
import { type OwnText, OwnTextField } from './own-text.js';

const optional = true;
const DESCRIPTION_CHARACTERS = 500;
/**
 * Without bank holidays five days always hold three working days, the RBI's least validity of a Key
 * Facts Statement.
 */
export const MIN_OFFER_DAYS = 5;
const LONGEST_TENURE_MONTHS = 600;
const MAX_VALUATION_RUPEES = 100_000;

/** Amounts in rupees, before tax. */
export class FeeSection {
  @OwnTextField()
  name: OwnText;

  @ChoiceField(['LENDER', 'THIRD_PARTY'])
  payee: FeePayee;

  @PercentField({ optional })
  percentOfPrincipal?: number;

  @RupeesField({ optional })
  flat?: number;

  @RupeesField({ optional })
  minimum?: number;

  @RupeesField({ optional })
  maximum?: number;

  @PercentField({ optional })
  gstPercent?: number;
}

/** For an instalment that is not paid; amounts in rupees, before tax. */
class UnpaidSection {
  @PercentField({ optional })
  percentOfInstalment?: number;

  @RupeesField({ optional })
  flat?: number;

  @PercentField({ optional })
  gstPercent?: number;

  @ChoiceField(UNPAID_INTERVALS)
  every: UnpaidInterval;

  /** Left out: pages show the charge's text instead of figures. */
  @ChoiceField(UNPAID_CAUSES, { optional })
  cause?: UnpaidCause;
}

class ContingentChargeSection {
  @OwnTextField()
  name: OwnText;

  @OwnTextField({ most: DESCRIPTION_CHARACTERS })
  description: OwnText;

  /** Left out: the charge is no consequence of an unpaid instalment, or its amount is unknown. */
  @PartField(UnpaidSection, { optional })
  ifUnpaid?: UnpaidSection;
}

export class SlabSection {
  /** Rupees; left out: no ceiling. */
  @RupeesField({ optional })
  ceiling?: number;

  @PercentField()
  ratioPercent: number;
}

export class PledgeSection {
  /** Needed besides the gold. Left out: pages say to ask. */
  @WordsField({ of: GOLD_DOCUMENTS, optional })
  documents?: GoldDocument[];

  /** After full repayment. Left out: the RBI's seven. */
  @WholeNumberField({ least: 0, most: 7, optional })
  returnWithinWorkingDays?: number;

  /** Rupees for each day of the lender's delay. */
  @RupeesField({ optional })
  lateReturnPerDay?: number;

  /** Calendar days between the notice and the auction. */
  @WholeNumberField({ least: 1, most: 365, optional })
  auctionNoticeDays?: number;

  /** Rupees, tax included, from an applicant who takes no loan. */
  @WholeNumberField({ least: 0, most: MAX_VALUATION_RUPEES, optional })
  valuationWithoutLoan?: number;
}

export class GoldSection {
  @RupeesField()
  pricePerGram: number;

  /** Left out: the RBI's. */
  @PartsField(SlabSection, { least: 1, optional })
  slabs?: SlabSection[];

  @PartField(PledgeSection, { optional })
  pledge?: PledgeSection;
}

/** Amounts in rupees. */
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

  @PartField(GoldSection, { optional })
  gold?: GoldSection;
}
