import {
  AnnualIncomeField,
  EmploymentTypeField,
  MonthlyIncomeField,
  PinCodeField,
} from '../applicants/index.js';
import { JOURNEY_PRODUCTS } from '../journeys/index.js';
import { ELIGIBILITY_REASONS, ELIGIBILITY_VERDICTS } from '../lenders/index.js';
import {
  AtLeastOne,
  ChoiceField,
  DescribedField,
  RupeesField,
  ShownChoice,
  ShownCount,
  ShownId,
  ShownList,
  ShownNumber,
  ShownObject,
  ShownRupees,
  ShownText,
} from '../platform/index.js';
import { type EmploymentType, INSTANT_PRODUCT } from '../settings/index.js';

/** Nothing that identifies the applicant. */
@AtLeastOne('monthlyIncome', 'annualIncome')
export class EligibilityBody {
  @ChoiceField([...JOURNEY_PRODUCTS, INSTANT_PRODUCT], { example: 'ONLINE_PERSONAL' })
  productCode: string;

  @RupeesField({
    about: 'In rupees, at most two decimals, within the range of the product.',
    example: 200_000,
  })
  loanAmount: number;

  @PinCodeField()
  pinCode: string;

  @EmploymentTypeField()
  employmentType: EmploymentType;

  @MonthlyIncomeField()
  monthlyIncome?: number;

  @AnnualIncomeField()
  annualIncome?: number;
}

class AmountRangeView {
  @ShownRupees('In rupees.', 10_000)
  min: number;

  @ShownRupees('In rupees.', 500_000)
  max: number;
}

class RateRangeView {
  @ShownNumber('Percent a year.', 11.49)
  min: number;

  @ShownNumber('Percent a year.', 24)
  max: number;
}

class TenureRangeView {
  @ShownCount('In months.', 12)
  min: number;

  @ShownCount('In months.', 60)
  max: number;
}

const OPTIONAL = { optional: true };

export class LenderEligibilityView {
  @ShownText('As in `lenderCode` of an offer.', 'navdhara')
  lenderCode: string;

  @ShownText('The lender’s legal name.', 'Navdhara Capital Limited')
  lenderName: string;

  @ShownChoice(
    'UNKNOWN: the lender publishes no rules, or did not answer in time.',
    ELIGIBILITY_VERDICTS,
  )
  verdict: (typeof ELIGIBILITY_VERDICTS)[number];

  @DescribedField(
    { type: 'array', items: { type: 'string', enum: [...ELIGIBILITY_REASONS] } },
    { optional: true, about: 'Each condition that is not met; only for UNLIKELY.' },
  )
  reasons?: readonly (typeof ELIGIBILITY_REASONS)[number][];

  @ShownObject(() => AmountRangeView, 'The amounts that the lender may offer.', OPTIONAL)
  amount?: AmountRangeView;

  @ShownObject(() => RateRangeView, 'The lender’s interest rates, not the APR.', OPTIONAL)
  annualRate?: RateRangeView;

  @ShownObject(() => TenureRangeView, 'The lender’s tenures.', OPTIONAL)
  tenure?: TenureRangeView;
}

export class EligibilityView {
  @ShownId('elg', 'Names the record of this answer.')
  eligibilityId: string;

  @ShownText('The product in the request.', 'ONLINE_PERSONAL')
  productCode: string;

  @ShownRupees('The amount in the request, in rupees.', 200_000)
  loanAmount: number;

  @ShownList(
    () => LenderEligibilityView,
    'Every lender of the product, in the alphabetical order of the codes.',
  )
  lenders: LenderEligibilityView[];
}
