import type { StepDefinition } from './step-definition.js';

export const DISBURSEMENT = {
  name: 'DISBURSEMENT',
  need: 'EVERY_LOAN',
  question: 'DISBURSEMENT',
  questionPages: [],
  states: [
    {
      name: 'DISBURSEMENT_PENDING',
      nextAction: { type: 'POLL_DISBURSEMENT', category: 'POLL' },
      whileDeciding: null,
      moves: [
        {
          trigger: 'PAID_OUT',
          to: 'SANCTIONED',
          event: {
            name: 'journey.completed',
            meaning: 'The loan is disbursed; the journey is SANCTIONED',
          },
          // The second is sent before the cooling-off period ends.
          milestones: ['MONEY_PAID', 'COOLING_OFF_ENDING'],
        },
        { trigger: 'PAYOUT_REFUSED', to: 'REJECTED', reason: 'DISBURSEMENT_FAILED' },
      ],
      // The money is on its way.
      isAbandonedWhenIdle: false,
      mayBeLeft: false,
      page: 'disbursement',
    },
  ],
} as const satisfies StepDefinition;
