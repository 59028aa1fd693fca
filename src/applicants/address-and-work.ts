import { TextField } from '../platform/index.js';

/** The optional lines that every way to a loan takes. */
export class AddressAndWork {
  @TextField({ optional: true, about: 'Employer or own business.', example: 'Verma Textiles' })
  companyName?: string;

  @TextField({ optional: true, example: 'Bengaluru' })
  city?: string;

  @TextField({ optional: true, example: 'Karnataka' })
  state?: string;

  @TextField({ optional: true, about: 'First line of the address.', example: '12 Residency Road' })
  addressL1?: string;

  @TextField({ optional: true, about: 'Second line of the address.', example: 'Ashok Nagar' })
  addressL2?: string;
}
