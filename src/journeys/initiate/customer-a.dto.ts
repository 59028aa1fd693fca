import { ChoiceField, RupeesField, TextField } from '../../platform/index.js';
import { AddressAndWork, BirthDateField, PanField, PinCodeField } from './applicant-rules.js';

/** The applicant as variant A of initiate gives them. */
export class CustomerA extends AddressAndWork {
  @TextField({ about: 'As on the PAN.', example: 'Asha Verma' })
  fullName: string;

  @PanField()
  pan: string;

  @BirthDateField()
  dob: string;

  @ChoiceField(['MALE', 'FEMALE', 'OTHER'], { example: 'FEMALE' })
  gender: string;

  @ChoiceField(['salaried', 'selfEmployed'], { example: 'salaried' })
  employmentType: string;

  @RupeesField({
    optional: true,
    about: 'In rupees; at least one of the two incomes must be given.',
    example: 60000,
  })
  monthlyIncome?: number;

  @RupeesField({
    optional: true,
    about: 'In rupees; at least one of the two incomes must be given.',
    example: 720000,
  })
  annualIncome?: number;

  @TextField({
    optional: true,
    most: 40,
    about: 'Udyam registration, for businesses.',
    example: 'UDYAM-KA-01-0000001',
  })
  udyamNumber?: string;

  @PinCodeField()
  pinCode: string;
}
