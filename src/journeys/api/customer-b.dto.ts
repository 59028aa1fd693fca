import {
  AddressAndWork,
  AnnualIncomeField,
  BirthDateField,
  EndUseField,
  FirstNameField,
  LastNameField,
  MonthlyIncomeField,
  OfficialEmailField,
  PanField,
  PersonalEmailField,
  PinCodeField,
  TermsAcceptedField,
} from '../../applicants/index.js';
import { AtLeastOne } from '../../platform/index.js';

/** KYC supplies what is optional. */
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
