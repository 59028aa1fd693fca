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

export class InstantLoanBody extends GivenReference {
  @MobileField()
  mobile: string;

  @NestedField(InstantCustomer, 'must be an object with the applicant’s details')
  customer: InstantCustomer;

  @RupeesField({
    optional: true,
    about: 'In rupees, within the product’s range. Default: the product’s default amount.',
    example: 25_000,
  })
  loanAmount?: number;

  @ConsentField()
  consent?: GivenConsent;
}

export class CreatedInstantLoan {
  @ShownId('app', 'The application; GET /leads/{applicationId}/status returns its status.')
  readonly applicationId: string;

  @ShownId('jrn', 'Its journey; GET /journey/{journeyId} returns it.')
  readonly journeyId: string;

  /** Our stable link, so that the call never waits for a gateway. */
  @ShownUrl(
    'Send the applicant here: offers, key facts and fee, then ' +
      'the payment gateway’s page. The applicant also gets this link by SMS.',
    'https://rinpath.example/pay/token',
  )
  readonly redirectUrl: string;

  @ShownFlag(
    'Whether the gateway took the SMS within two seconds. If not, it is retried ' +
      'in the background, unless the mobile has reached its daily limit of texts. The application ' +
      'is valid either way.',
  )
  readonly smsSent: boolean;
}
