import type { Mutant } from './mutant.ts';

const ERASURE = ['test/e2e/admin/erasure.spec.ts'];
const INSTANT = ['test/e2e/admin/instant-loan-erasure.spec.ts'];
const OF_JOURNEYS = 'src/journeys/erasure/journey-erasure.module.ts';
const OF_LENDERS = 'src/lenders/lender-personal-data.ts';
const USE_CASE = 'src/erasure/applicant-erasure.ts';
const JOURNEYS = 'src/journeys/store/journeys.repository.ts';

/** Nothing is kept of an applicant who is erased; what is in the way is said. */
export const ERASURE_AREA: readonly Mutant[] = [
  {
    id: 'withdrawal-keeps-name-and-address',
    rule: 'The open withdrawal tells the lender nothing of the erased applicant',
    file: 'src/lenders/question-payload.ts',
    find: "applicant: { mobile: '', pan: '' },",
    replace: "applicant: { ...payload.applicant, mobile: '', pan: '' },",
    specs: ['test/e2e/admin/erased-withdrawals.spec.ts'],
  },
  {
    id: 'erased-applicant-keeps-mobile-hash',
    rule: 'The keyed hashes go with the applicant',
    file: JOURNEYS,
    find: 'SET applicant_sealed = NULL, mobile_hash = NULL, pan_hash = NULL,',
    replace: 'SET applicant_sealed = NULL, pan_hash = NULL,',
    specs: ERASURE,
  },
  {
    id: 'erased-bank-account-stays',
    rule: 'The bank account goes with the applicant',
    file: JOURNEYS,
    find: 'pan_hash = NULL, bank_account_sealed = NULL,\n',
    replace: 'pan_hash = NULL,\n',
    specs: ERASURE,
  },
  {
    id: 'intents-keep-their-payload',
    rule: 'Payloads of resolved actions are erased',
    file: OF_JOURNEYS,
    find: '(await this.intents.erase(tx, journey)) +\n',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'answered-questions-keep-their-payload',
    rule: 'Payloads of questions to lenders are erased',
    file: OF_LENDERS,
    find: 'await this.questions.erase(tx, partnerId, id);',
    replace: '0;',
    specs: ERASURE,
  },
  {
    id: 'lenders-answers-are-kept',
    rule: 'Lenders’ answers that were taken are erased',
    file: OF_LENDERS,
    find: 'await this.inbox.erase(tx, partnerId, id);',
    replace: '0;',
    specs: ERASURE,
  },
  {
    id: 'waiting-texts-are-sent-after-all',
    rule: 'A text message that waits is cancelled with the erasure',
    file: 'src/messaging/messaging.tasks.ts',
    find: 'return this.messages.cancel(tx, partnerId, id);',
    replace: 'return Promise.resolve(0);',
    specs: ['test/e2e/admin/erasure-everywhere.isolated.spec.ts'],
  },
  {
    id: 'client-addresses-of-consents-stay',
    rule: 'The client address of a consent is erased, the consent stays',
    file: 'src/journeys/erasure/journey-erasure.module.ts',
    find: 'await this.consents.eraseAddresses(tx, journey);',
    replace: '0;',
    specs: [...ERASURE, 'test/e2e/hosted-entry/records.spec.ts'],
  },
  {
    id: 'evidence-of-steps-stays',
    rule: 'What proves a step is erased with its applicant',
    file: OF_JOURNEYS,
    find: '(await this.redirects.erase(tx, journey)) +\n',
    replace: '',
    specs: [
      'test/e2e/admin/erasure-everywhere.isolated.spec.ts',
      'test/e2e/admin/journeys-show.spec.ts',
    ],
  },
  {
    id: 'kept-answers-outlive-the-applicant',
    rule: 'The kept answer of the journey’s Idempotency-Key is forgotten',
    file: OF_JOURNEYS,
    find: "isMeant: (answer) => 'journeyId' in answer && answer.journeyId === id,",
    replace: "isMeant: (answer) => 'none' in answer,",
    specs: ERASURE,
  },
  {
    id: 'links-of-the-erased-stay-open',
    rule: 'A hosted link of an erased applicant has run out',
    file: 'src/journeys/erasure/journey-erasure.module.ts',
    find: 'await this.links.expireAllOf(tx, journey);\n',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'sessions-of-the-erased-stay-open',
    rule: 'The browser sessions of an erased applicant have ended',
    file: 'src/journeys/erasure/journey-erasure.module.ts',
    find: 'await this.sessions.endAllOf(tx, journey);\n',
    replace: '',
    specs: ['test/e2e/hosted-entry/records.spec.ts', ...ERASURE],
  },
  {
    id: 'journeys-in-progress-are-erased',
    rule: 'A journey in progress is not erased unless forced',
    file: OF_JOURNEYS,
    find: "if (!isForced && !isTerminal(journey.state)) return 'IN_PROGRESS';",
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'money-on-its-way-is-erased',
    rule: 'A journey whose money is on its way is never erased',
    file: OF_JOURNEYS,
    find: "if (journey.state === 'DISBURSEMENT_PENDING' || isPaidFor) return 'MONEY_ON_ITS_WAY';",
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'one-obstacle-erases-the-others',
    rule: 'With one in the way nothing of the others is erased either',
    file: USE_CASE,
    find: 'if (inTheWay.length > 0) return',
    replace: 'if (inTheWay.length === loans.length && loans.length > 0) return',
    specs: ERASURE,
  },
  {
    id: 'erasure-without-an-audit-row',
    rule: 'An erasure has its audit row',
    file: USE_CASE,
    find: 'if (count > 0) await holder.recordErasure(tx, loan);',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'paid-application-is-erased',
    rule: 'An application that is paid and not decided is never erased',
    file: OF_JOURNEYS,
    find: "=== 'DISBURSEMENT_PENDING' || isPaidFor) return",
    replace: "=== 'DISBURSEMENT_PENDING' || (!isForced && isPaidFor)) return",
    specs: INSTANT,
  },
  {
    id: 'payment-details-of-the-erased',
    rule: 'What the payment gateway was told is erased with the application',
    file: 'src/payments/payment-orders.ts',
    find: 'return this.records.eraseDetails(tx, partnerId, id);',
    replace: 'return 0;',
    specs: INSTANT,
  },
];
