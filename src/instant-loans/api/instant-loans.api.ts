import { PartnerCall } from '../../platform/index.js';
import { FEE } from '../../journey-steps/index.js';
import { CreatedInstantLoan, InstantLoanBody } from './instant-loan.dto.js';

export const CreateInstantLoanCall = () =>
  PartnerCall({
    operationId: 'createInstantLoan',
    summary: 'Create an instant personal loan application',
    description:
      'Takes an application for an instant loan, and asks the lenders for binding offers; it answers ' +
      'before they do. Send the applicant to `redirectUrl` at once or later: the page waits for the ' +
      'offers and compares them, the applicant chooses one, sees its key facts and its fee, and ' +
      'goes on to the payment gateway. The ' +
      'same link goes to the applicant by SMS, in Hindi or English as the call’s ' +
      '`Accept-Language` names one, else in the service’s usual language. `GET /leads/{applicationId}/status` tells how it ' +
      'goes on: `PAYMENT_PENDING` (offers are awaited, or the fee is to be paid), `PAYMENT_FAILED` (it ' +
      'can be paid again), `PAYMENT_RECEIVED` ' +
      '(the lender decides), then `SANCTIONED` or `REJECTED`; `REJECTED` without a payment when no ' +
      'lender makes an offer; `EXPIRED` when it was not paid ' +
      `within ${FEE.payHours} hours, or before its offer ran out. Instant loans send no webhooks.`,
    answer: CreatedInstantLoan,
    body: { type: InstantLoanBody, examples: EXAMPLES },
    failures: ['product_not_assigned', 'product_unavailable'],
    isIdempotent: true,
  });

const EXAMPLES = {
  least: {
    summary: 'What is required',
    value: { mobile: '9876543210', customer: { pan: 'ABCDE1234F', firstName: 'Asha' } },
  },
  full: {
    summary: 'With an amount and more of the applicant',
    value: {
      mobile: '9876543210',
      loanAmount: 40_000,
      customer: {
        pan: 'ABCDE1234F',
        fullName: 'Asha Verma',
        dob: '1990-04-15',
        employmentType: 'salaried',
        monthlyIncome: 60_000,
        pinCode: '560001',
        personalEmail: 'asha.verma@example.com',
      },
    },
  },
};
