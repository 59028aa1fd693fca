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

/** Only the PAN and a name are required; every field of both initiate variants is accepted. */
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
