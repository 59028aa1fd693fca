import { DescribedField, EmailField, RupeesField, Rule, TextField } from '../../platform/index.js';
import { AddressAndWork, BirthDateField, PanField, PinCodeField } from './applicant-rules.js';

/** The applicant as variant B of initiate gives them; KYC supplies what is optional here. */
export class CustomerB extends AddressAndWork {
  @PanField()
  pan: string;

  @BirthDateField()
  dob: string;

  @PinCodeField()
  pinCode: string;

  @DescribedField(
    { type: 'boolean', enum: [true] },
    { about: 'The applicant has accepted the terms.' },
  )
  @Rule('accepted', (value) => value === true, 'must be true: the applicant accepts the terms')
  termsAccepted: boolean;

  @TextField({ optional: true, example: 'Asha' })
  firstName?: string;

  @TextField({ optional: true, example: 'Verma' })
  lastName?: string;

  @EmailField({ optional: true, example: 'asha.verma@example.com' })
  personalEmail?: string;

  @EmailField({ optional: true, example: 'asha@vermatextiles.example' })
  officialEmail?: string;

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

  @TextField({ optional: true, about: 'What the money is for.', example: 'Home repairs' })
  endUse?: string;
}
