import type { CallbackName, CallbackOf } from '../protocol/callbacks.js';
import type { QuestionName, VerdictOf } from '../protocol/questions.js';
import {
  BULLET_OFFER,
  GOLD_OFFER,
  INSTANT_OFFER,
  PERSONAL_OFFER,
  QUOTED_OFFER,
} from './offer-examples.js';
import type { Examples } from './request-examples.js';

const answer = (number: number) => ({ answerId: `nv-ans-${number}` });

/** Every verdict on each question, as a lender gives it. */
export const VERDICT_EXAMPLES: { readonly [Name in QuestionName]: Examples<VerdictOf<Name>> } = {
  OFFERS: {
    offered: { ...answer(1), verdict: 'OFFERED', offers: [PERSONAL_OFFER] },
    offeredForGold: { ...answer(2), verdict: 'OFFERED', offers: [GOLD_OFFER, BULLET_OFFER] },
    offeredInstant: { ...answer(29), verdict: 'OFFERED', offers: [INSTANT_OFFER] },
    declined: { ...answer(3), verdict: 'DECLINED', reason: 'INCOME', detail: 'FOIR above 55 %' },
  },
  QUOTES: {
    quoted: { ...answer(4), verdict: 'QUOTED', offer: QUOTED_OFFER },
    gone: { ...answer(5), verdict: 'GONE', reason: 'EXPIRED' },
  },
  SELECTIONS: {
    accepted: { ...answer(6), verdict: 'ACCEPTED', applicationReference: 'NV-APP-51120' },
    gone: { ...answer(7), verdict: 'GONE', reason: 'WITHDRAWN' },
  },
  SESSIONS: {
    oneVisitForAll: {
      ...answer(8),
      verdict: 'OPENED',
      url: 'https://apply.navdhara.example/s/7b1e9c04d2',
      expiresAt: '2026-11-24T12:45:00+05:30',
      covers: ['KYC', 'MANDATE', 'ESIGN'],
    },
    oneStep: {
      ...answer(9),
      verdict: 'OPENED',
      url: 'https://apply.navdhara.example/kyc/7b1e9c04d2',
      expiresAt: '2026-11-24T12:45:00+05:30',
      covers: ['KYC'],
    },
    refused: { ...answer(28), verdict: 'REFUSED', reason: 'POLICY', detail: 'Cancelled at branch' },
  },
  STEPS: {
    kycPassed: {
      ...answer(10),
      verdict: 'PASSED',
      passedAt: '2026-11-24T12:02:44+05:30',
      evidence: { step: 'KYC', kycReference: 'CKYC-30045512' },
    },
    mandatePassed: {
      ...answer(11),
      verdict: 'PASSED',
      passedAt: '2026-11-24T16:30:00+05:30',
      evidence: { step: 'MANDATE', mandateReference: 'HDFC7021411260012345' },
    },
    signed: {
      ...answer(12),
      verdict: 'PASSED',
      passedAt: '2026-11-24T16:41:12+05:30',
      evidence: {
        step: 'ESIGN',
        documentHash: '0b7d4f1a9c3e5826417f0e9d8c7b6a59483726150f4e3d2c1b0a998877665544',
      },
    },
    failed: { ...answer(13), verdict: 'FAILED', reason: 'DOCUMENT_NOT_READABLE' },
    refused: { ...answer(14), verdict: 'REFUSED', reason: 'NAME_MISMATCH' },
  },
  ACCOUNTS: {
    accepted: { ...answer(15), verdict: 'ACCEPTED' },
    refused: { ...answer(16), verdict: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' },
    refusedForGood: { ...answer(17), verdict: 'REFUSED_FOR_GOOD', reason: 'ACCOUNT_FROZEN' },
  },
  DISBURSEMENTS: {
    paid: {
      ...answer(18),
      verdict: 'PAID',
      amount: 19_508_000,
      utr: 'HDFCN52026112412345678',
      paidAt: '2026-11-24T17:05:00+05:30',
      loanReference: 'NV-LOAN-77031',
      accountLastFour: '7890',
    },
    refused: { ...answer(19), verdict: 'REFUSED', reason: 'MANDATE_NOT_ACTIVE' },
  },
  DECISIONS: {
    sanctioned: { ...answer(20), verdict: 'SANCTIONED', loanReference: 'NV-LOAN-77032' },
    declined: { ...answer(21), verdict: 'DECLINED', reason: 'CREDIT_HISTORY' },
  },
  WITHDRAWALS: { noted: { ...answer(22), verdict: 'NOTED' } },
  COOLING_OFF_EXITS: {
    opened: {
      ...answer(23),
      verdict: 'OPENED',
      amount: 19_525_680,
      payUntil: '2026-11-26T23:59:59+05:30',
      payTo: {
        kind: 'ACCOUNT',
        holderName: 'Navdhara Capital Limited',
        number: '50200012345678',
        ifsc: 'HDFC0000060',
        paymentReference: 'NV-LOAN-77031',
      },
    },
    exited: { ...answer(24), verdict: 'EXITED', exitedAt: '2026-11-26T10:02:00+05:30' },
    refused: { ...answer(25), verdict: 'REFUSED', reason: 'PERIOD_OVER' },
  },
  LOANS: {
    active: {
      ...answer(26),
      verdict: 'FOUND',
      loanReference: 'NV-LOAN-77031',
      status: 'ACTIVE',
      asOf: '2027-01-05T06:00:00+05:30',
      outstandingPrincipal: 19_273_033,
      nextDue: { on: '2027-01-24', amount: 960_300 },
    },
    notFound: { ...answer(27), verdict: 'NOT_FOUND' },
  },
};

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
