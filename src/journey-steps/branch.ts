import type { StepDefinition } from './step-definition.js';

export const BRANCH = {
  name: 'BRANCH',
  need: 'GOLD_LOANS_ALONE',
  question: null,
  questionPages: ['branch'],
  states: [
    {
      name: 'OFFER_SELECTED',
      nextAction: { type: 'SELECT_GOLD_LOAN_BRANCH', category: 'ACTION' },
      whileDeciding: null,
      moves: [{ trigger: 'BRANCH_SELECTED', to: 'NEXT_STEP' }],
      isAbandonedWhenIdle: true,
      mayBeLeft: true,
      page: 'branch',
    },
  ],
} as const satisfies StepDefinition;
