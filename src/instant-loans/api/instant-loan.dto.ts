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
import {
  AtLeastOne,
  NestedField,
  RupeesField,
  ShownFlag,
  ShownId,
  ShownUrl,
} from '../../platform/index.js';

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

export class InstantLoanBody {
  @MobileField()
  mobile: string;

  @NestedField(InstantCustomer, 'must be an object with the applicant’s details')
  customer: InstantCustomer;

  @RupeesField({
    optional: true,
    about: 'In rupees, within the range of the product; the product’s default when left out.',
    example: 25_000,
  })
  loanAmount?: number;

  @ConsentField()
  consent?: GivenConsent;
}

export class CreatedInstantLoan {
  @ShownId('app', 'The application; GET /leads/{applicationId}/status tells how it stands.')
  readonly applicationId: string;

  @ShownId('jrn', 'Its journey; GET /journey/{journeyId} reads it.')
  readonly journeyId: string;

  /** Our stable link, so that the call never waits for a gateway. */
  @ShownUrl(
    'Where to send the applicant: the lenders’ offers, the loan’s key facts and the fee, and from ' +
      'there the payment gateway’s page. The same link goes to the applicant by SMS.',
    'https://rinpath.example/pay/token',
  )
  readonly redirectUrl: string;

  @ShownFlag(
    'Whether the SMS was handed over to the gateway within two seconds; when not, it is tried ' +
      'again in the background, unless the mobile has had its texts of the day, and the application ' +
      'stands all the same.',
  )
  readonly smsSent: boolean;
}
