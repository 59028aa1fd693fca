import { MobileField } from '../../applicants/index.js';
import { ConsentField, type GivenConsent } from '../../consents/index.js';
import { NestedField, RupeesField } from '../../platform/index.js';
import { InstantCustomer } from './instant-customer.dto.js';

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
