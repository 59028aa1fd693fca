import {
  AddressAndWork,
  AnnualIncomeField,
  BirthDateField,
  EmploymentTypeField,
  EndUseField,
  FirstNameField,
  FullNameField,
  GenderField,
  LastNameField,
  MobileField,
  MonthlyIncomeField,
  OfficialEmailField,
  PanField,
  PersonalEmailField,
  PinCodeField,
  TermsAcceptedField,
  UdyamNumberField,
} from '../../applicants/index.js';
import { ConsentField, type GivenConsent } from '../../consents/index.js';
import { GivenReference } from '../../leads/index.js';
import {
  AtLeastOne,
  ChoiceField,
  DescribedField,
  NestedField,
  RupeesField,
} from '../../platform/index.js';
import { GoldLoanDetails } from './gold-loan-details.dto.js';

@AtLeastOne('monthlyIncome', 'annualIncome')
export class CustomerA extends AddressAndWork {
  @FullNameField()
  fullName: string;

  @PanField()
  pan: string;

  @BirthDateField()
  dob: string;

  @GenderField()
  gender: string;

  @EmploymentTypeField()
  employmentType: string;

  @MonthlyIncomeField()
  monthlyIncome?: number;

  @AnnualIncomeField()
  annualIncome?: number;

  @UdyamNumberField()
  udyamNumber?: string;

  @PinCodeField()
  pinCode: string;
}

/** KYC supplies the optional fields. */
@AtLeastOne('monthlyIncome', 'annualIncome')
export class CustomerB extends AddressAndWork {
  @PanField()
  pan: string;

  @BirthDateField()
  dob: string;

  @PinCodeField()
  pinCode: string;

  @TermsAcceptedField()
  termsAccepted: boolean;

  @FirstNameField()
  firstName?: string;

  @LastNameField()
  lastName?: string;

  @PersonalEmailField()
  personalEmail?: string;

  @OfficialEmailField()
  officialEmail?: string;

  @MonthlyIncomeField()
  monthlyIncome?: number;

  @AnnualIncomeField()
  annualIncome?: number;

  @EndUseField()
  endUse?: string;
}

export const CHANNELS = ['API_HOSTED', 'API_HEADLESS'] as const;

export const JOURNEY_PRODUCTS = [
  'ONLINE_PERSONAL',
  'ONLINE_SHORT_TERM',
  'ONLINE_BUSINESS',
  'ONLINE_GOLD',
] as const;

/** Older names, accepted in variant B. */
export const PRODUCT_ALIASES: Readonly<Record<string, string>> = {
  PERSONAL_LOAN: 'ONLINE_PERSONAL',
  GOLD_LOAN: 'ONLINE_GOLD',
};

const CHANNEL = {
  about:
    'API_HOSTED: the applicant goes through our screens. API_HEADLESS: your app drives each step.',
  example: 'API_HEADLESS',
};
const AMOUNT = {
  about: 'In rupees, at most two decimals, within the range of the product.',
  example: 200_000,
};

/** `readGold` validates it, for gold loans only. */
const GoldField = () =>
  DescribedField(
    { type: () => GoldLoanDetails },
    { optional: true, about: 'Required for ONLINE_GOLD, ignored for every other product.' },
  );

export class InitiateBodyA extends GivenReference {
  @ChoiceField(CHANNELS, CHANNEL)
  channel: (typeof CHANNELS)[number];

  @ChoiceField(JOURNEY_PRODUCTS, { example: 'ONLINE_PERSONAL' })
  productCode: string;

  @MobileField()
  mobile: string;

  @RupeesField(AMOUNT)
  loanAmount: number;

  @NestedField(CustomerA, 'must be an object with the applicant’s details')
  customer: CustomerA;

  @GoldField()
  goldLoanDetails?: GoldLoanDetails;

  @ConsentField()
  consent?: GivenConsent;
}

export class InitiateBodyB extends GivenReference {
  @ChoiceField(CHANNELS, { ...CHANNEL, optional: true })
  channel?: (typeof CHANNELS)[number];

  @ChoiceField([...JOURNEY_PRODUCTS, ...Object.keys(PRODUCT_ALIASES)], {
    optional: true,
    about: 'Default: the key’s product. PERSONAL_LOAN and GOLD_LOAN are older names.',
    example: 'ONLINE_PERSONAL',
  })
  productCode?: string;

  @MobileField()
  mobile: string;

  @RupeesField({
    ...AMOUNT,
    about: `${AMOUNT.about} If left out, a hosted journey asks the applicant; a headless one uses the product’s default.`,
    optional: true,
  })
  loanAmount?: number;

  @NestedField(CustomerB, 'must be an object with the applicant’s details')
  customer: CustomerB;

  @GoldField()
  goldLoanDetails?: GoldLoanDetails;

  @ConsentField()
  consent?: GivenConsent;
}
