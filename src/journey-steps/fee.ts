import type { StepDefinition } from './step-definition.js';

/** The applicant pays the chosen lender's charges before the steps after it. */
export const FEE = {
  name: 'FEE',
  need: 'OPTIONAL',
  question: null,
  questionPages: ['fee'],
  states: [
    {
      name: 'FEE_PENDING',
      nextAction: { type: 'REDIRECT_TO_FEE', category: 'REDIRECT' },
      whileDeciding: { type: 'POLL_FEE_STATUS', category: 'POLL' },
      moves: [
        { trigger: 'FEE_PAID', to: 'NEXT_STEP' },
        { trigger: 'FEE_UNPAID', to: 'ABANDONED', reason: 'PAYMENT_EXPIRED' },
      ],
      // Has its own deadline; a payment page may be open until then.
      isAbandonedWhenIdle: false,
      mayBeLeft: true,
      page: 'fee',
    },
  ],
  /** From the fee request. */
  payHours: 72,
} as const satisfies StepDefinition & { payHours: number };
