/** What partners tell of an applicant, and its rules: the same for every way to a loan. */
export { AddressAndWork } from './address-and-work.js';
export { checkAge } from './age.js';
export {
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
} from './applicant-fields.js';
export { givenFields } from './given-fields.js';
