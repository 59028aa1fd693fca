import type { StepDefinition } from './step-definition.js';

/** The applicant waits for the lender's response. */
export const BANK_ACCOUNT = {
  name: 'BANK_ACCOUNT',
  need: 'EVERY_LOAN',
  question: null,
  questionPages: ['bank-account'],
  states: [
    {
      name: 'BANK_ACCOUNT_PENDING',
      nextAction: { type: 'SUBMIT_BANK_ACCOUNT', category: 'ACTION' },
      whileDeciding: null,
      moves: [
        { trigger: 'ACCOUNT_ACCEPTED', to: 'NEXT_STEP' },
        { trigger: 'ACCOUNT_REFUSED', to: 'REJECTED', reason: 'BANK_ACCOUNT_FAILED' },
      ],
      isAbandonedWhenIdle: true,
      mayBeLeft: true,
      page: 'bank-account',
    },
  ],
  maxTries: 3,
} as const satisfies StepDefinition & { maxTries: number };
