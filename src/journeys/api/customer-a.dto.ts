import {
  AddressAndWork,
  AnnualIncomeField,
  BirthDateField,
  EmploymentTypeField,
  FullNameField,
  GenderField,
  MonthlyIncomeField,
  PanField,
  PinCodeField,
  UdyamNumberField,
} from '../../applicants/index.js';
import { AtLeastOne } from '../../platform/index.js';

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
