import type { StepDefinition } from './step-definition.js';

const OFFERS_RECEIVED = {
  name: 'journey.offers_received',
  meaning: 'Lender offers are available for selection',
} as const;

export const OFFERS = {
  name: 'OFFERS',
  need: 'EVERY_LOAN',
  question: 'OFFERS',
  questionPages: ['offers', 'confirm'],
  states: [
    {
      name: 'INITIATED',
      nextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
      whileDeciding: null,
      moves: [
        {
          trigger: 'OFFERS_ARRIVED',
          to: 'OFFERS_RECEIVED',
          event: OFFERS_RECEIVED,
          milestones: ['OFFERS_READY'],
        },
        // No SMS: the applicant is looking at the offers.
        { trigger: 'OFFERS_OPENED', to: 'OFFERS_RECEIVED', event: OFFERS_RECEIVED },
        { trigger: 'LENDERS_DECLINED', to: 'REJECTED', reason: 'NO_OFFERS' },
        { trigger: 'LENDERS_SILENT', to: 'REJECTED', reason: 'LENDERS_UNAVAILABLE' },
      ],
      isAbandonedWhenIdle: true,
      mayBeLeft: true,
      // Depends on the journey: consent, details, confirmation or wait.
      page: null,
    },
    {
      name: 'OFFERS_RECEIVED',
      nextAction: { type: 'SELECT_OFFER', category: 'ACTION' },
      whileDeciding: null,
      moves: [
        {
          trigger: 'OFFER_SELECTED',
          to: 'NEXT_STEP',
          event: { name: 'journey.offer_selected', meaning: 'An offer has been selected' },
        },
        { trigger: 'OFFERS_RAN_OUT', to: 'INITIATED' },
      ],
      isAbandonedWhenIdle: true,
      mayBeLeft: true,
      page: 'offers',
    },
  ],
} as const satisfies StepDefinition;
