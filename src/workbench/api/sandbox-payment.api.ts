import { ChoiceField, PartnerCall, ShownChoice, ShownId } from '../../platform/index.js';

const OUTCOMES = ['PAID', 'FAILED'] as const;

export class SandboxPaymentBody {
  @ChoiceField(OUTCOMES, { about: 'What comes of the payment.', example: 'PAID' })
  outcome: (typeof OUTCOMES)[number];
}

export class SandboxPaymentView {
  @ShownId('app', 'The application.')
  applicationId: string;

  @ShownChoice(
    'What comes of the payment: what was asked for, unless the reserved PAN `SANDX0010A` has it fail.',
    OUTCOMES,
  )
  outcome: (typeof OUTCOMES)[number];
}

export const PaySandboxInstantLoanCall = () =>
  PartnerCall({
    operationId: 'paySandboxInstantLoan',
    summary: 'Pay an instant loan’s fee in the sandbox',
    description:
      'Does what an applicant does on our page and on the simulated payment page: agrees to the Key Facts Statement of ' +
      'the offer that is chosen, goes on to pay its fee, and pays or fails to. The simulated gateway then calls back as ' +
      'after a press of its buttons, so `GET /leads/{applicationId}/status` has the new status a moment later. ' +
      'After `FAILED` it can be paid again. An application with nothing to pay is answered 409 `payment_not_due`; ' +
      'while its lenders have not answered, `Retry-After` says when to ask again. In production there is nothing at ' +
      'this address.',
    answer: SandboxPaymentView,
    body: { type: SandboxPaymentBody, examples: EXAMPLES },
    failures: ['payment_not_due'],
    isIdempotent: true,
  });

const EXAMPLES = {
  paid: { summary: 'The fee is paid', value: { outcome: 'PAID' } },
  failed: { summary: 'The payment fails', value: { outcome: 'FAILED' } },
};
