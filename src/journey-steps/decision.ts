import type { StepDefinition } from './step-definition.js';

/** The lender of a paid instant loan sanctions or declines it. */
export const DECISION = {
  name: 'DECISION',
  need: 'INSTANT_LOANS_ALONE',
  question: 'DECISION',
  questionPages: [],
  states: [
    {
      name: 'DECISION_PENDING',
      nextAction: null,
      whileDeciding: null,
      moves: [
        { trigger: 'LOAN_SANCTIONED', to: 'SANCTIONED' },
        { trigger: 'LOAN_DECLINED', to: 'REJECTED', reason: 'LOAN_DECLINED' },
      ],
      // The fee is paid.
      isAbandonedWhenIdle: false,
      mayBeLeft: false,
      page: null,
    },
  ],
} as const satisfies StepDefinition;
