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
  MonthlyIncomeField,
  OfficialEmailField,
  PanField,
  PersonalEmailField,
  PinCodeField,
  TermsAcceptedField,
  UdyamNumberField,
} from '../../applicants/index.js';
import { AtLeastOne } from '../../platform/index.js';

const OPTIONAL = { optional: true };

/**
 * The applicant of an instant loan: the PAN and a name are enough, and every field of both variants
 * of initiate is taken under its rule. That one of the two names is there is looked at apart.
 */
@AtLeastOne('firstName', 'fullName')
export class InstantCustomer extends AddressAndWork {
  @PanField()
  pan: string;

  @FirstNameField()
  firstName?: string;

  @LastNameField()
  lastName?: string;

  @FullNameField(OPTIONAL)
  fullName?: string;

  @BirthDateField(OPTIONAL)
  dob?: string;

  @GenderField(OPTIONAL)
  gender?: string;

  @EmploymentTypeField(OPTIONAL)
  employmentType?: string;

  @MonthlyIncomeField('In rupees.')
  monthlyIncome?: number;

  @AnnualIncomeField('In rupees.')
  annualIncome?: number;

  @UdyamNumberField()
  udyamNumber?: string;

  @PinCodeField(OPTIONAL)
  pinCode?: string;

  @PersonalEmailField()
  personalEmail?: string;

  @OfficialEmailField()
  officialEmail?: string;

  @TermsAcceptedField(OPTIONAL)
  termsAccepted?: boolean;

  @EndUseField()
  endUse?: string;
}
