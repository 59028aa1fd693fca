import type { CallbackName, CallbackOf } from '../protocol/callbacks.js';
import { GOLD_OFFER } from './offer-examples.js';
import type { Examples } from './request-examples.js';
import { VERDICT_EXAMPLES } from './verdict-examples.js';

const APPLICATION_ID = 'app_019aab3c5d7e7f0192a3b4c5d6e7f802';
const LOAN = { applicationId: APPLICATION_ID, loanReference: 'NV-LOAN-77031' };

/** What a lender tells, of each kind. */
export const CALLBACK_EXAMPLES: { readonly [Name in CallbackName]: Examples<CallbackOf<Name>> } = {
  ANSWERS: {
    mandatePassed: {
      question: 'STEPS',
      questionId: 'qst_019aab3c5d7e7f0192a3b4c5d6e7f812',
      answer: VERDICT_EXAMPLES.STEPS['mandatePassed'],
    },
    paid: {
      question: 'DISBURSEMENTS',
      questionId: 'qst_019aab3c5d7e7f0192a3b4c5d6e7f80a',
      answer: VERDICT_EXAMPLES.DISBURSEMENTS['paid'],
    },
  },
  OFFER_REVISIONS: {
    appraised: {
      id: 'nv-rev-311',
      applicationId: APPLICATION_ID,
      applicationReference: 'NV-APP-51188',
      reason: 'GOLD_APPRAISED',
      detail: 'Two bangles are plated',
      revisedAt: '2026-11-25T15:20:00+05:30',
      offer: GOLD_OFFER,
    },
  },
  LOAN_EVENTS: {
    reversed: {
      ...LOAN,
      id: 'nv-evt-902',
      event: 'REVERSED',
      happenedAt: '2026-11-25T09:00:00+05:30',
      amount: 19_508_000,
      utr: 'HDFCN52026112587654321',
    },
    exited: {
      ...LOAN,
      id: 'nv-evt-903',
      event: 'EXITED',
      happenedAt: '2026-11-26T10:02:00+05:30',
      amount: 19_525_680,
    },
    transferred: {
      ...LOAN,
      id: 'nv-evt-904',
      event: 'TRANSFERRED',
      happenedAt: '2027-04-01T00:00:00+05:30',
      transferredTo: 'Sahyadri Bank Limited',
    },
  },
  STATEMENTS: {
    oneDay: {
      id: 'nv-stm-2026-11-24-1',
      day: '2026-11-24',
      page: 1,
      pages: 1,
      payoutCount: 1,
      payoutTotal: 19_508_000,
      payouts: [
        {
          ...LOAN,
          amount: 19_508_000,
          utr: 'HDFCN52026112412345678',
          paidAt: '2026-11-24T17:05:00+05:30',
        },
      ],
    },
  },
};
