import type { Mutant } from './mutant.ts';

const ERASURE = ['test/e2e/admin/erasure.spec.ts'];
const INSTANT = ['test/e2e/admin/instant-loan-erasure.spec.ts'];
const RECORDS = 'src/journeys/erasure/erasable-records.ts';
const JOURNEYS = 'src/journeys/store/journeys.repository.ts';
const DESK = 'src/lenders/question-outbox.ts';

/** Nothing is kept of an applicant who is erased; what is in the way is said. */
export const ERASURE_AREA: readonly Mutant[] = [
  {
    id: 'withdrawal-keeps-name-and-address',
    rule: 'The open withdrawal tells the lender nothing of the erased applicant',
    file: DESK,
    find: "applicant: { mobile: '', pan: '' },",
    replace:
      'applicant: { ...(JSON.parse(this.keyring.open(sealed, PAYLOAD_PURPOSE)) as QuestionPayload)' +
      ".applicant, mobile: '', pan: '' },",
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
    find: 'pan_hash = NULL, bank_account_sealed = NULL\n',
    replace: 'pan_hash = NULL\n',
    specs: ERASURE,
  },
  {
    id: 'intents-keep-their-payload',
    rule: 'Payloads of resolved actions are erased',
    file: RECORDS,
    find: 'await this.intents.erase(tx, journey),\n',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'answered-questions-keep-their-payload',
    rule: 'Payloads of questions to lenders are erased',
    file: RECORDS,
    find: 'await this.questions.erase(tx, partnerId, id),\n',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'lenders-answers-are-kept',
    rule: 'Lenders’ answers that were taken are erased',
    file: RECORDS,
    find: 'await this.inbox.erase(tx, partnerId, id),\n',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'waiting-texts-are-sent-after-all',
    rule: 'A text message that waits is cancelled with the erasure',
    file: RECORDS,
    find: 'await this.sms.erase(tx, partnerId, id),\n',
    replace: '',
    specs: ['test/e2e/admin/erasure-everywhere.spec.ts'],
  },
  {
    id: 'client-addresses-of-consents-stay',
    rule: 'The client address of a consent is erased, the consent stays',
    file: RECORDS,
    find: 'await this.consents.eraseAddresses(tx, journey),\n',
    replace: '',
    specs: [...ERASURE, 'test/e2e/hosted-entry/records.spec.ts'],
  },
  {
    id: 'kept-answers-outlive-the-applicant',
    rule: 'The kept answer of the journey’s Idempotency-Key is forgotten',
    file: RECORDS,
    find: "isMeant: (answer) => 'journeyId' in answer && answer.journeyId === id,",
    replace: "isMeant: (answer) => 'none' in answer,",
    specs: ERASURE,
  },
  {
    id: 'links-of-the-erased-stay-open',
    rule: 'A hosted link of an erased applicant has run out',
    file: RECORDS,
    find: 'await this.links.expireAllOf(tx, journey);\n',
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'sessions-of-the-erased-stay-open',
    rule: 'The browser sessions of an erased applicant have ended',
    file: RECORDS,
    find: 'await this.sessions.endAllOf(tx, journey);\n',
    replace: '',
    specs: ['test/e2e/hosted-entry/records.spec.ts', ...ERASURE],
  },
  {
    id: 'journeys-in-progress-are-erased',
    rule: 'A journey in progress is not erased unless forced',
    file: 'src/journeys/erasure/applicant-erasure.ts',
    find: "if (!isForced && !isTerminal(journey.state)) return 'IN_PROGRESS';",
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'money-on-its-way-is-erased',
    rule: 'A journey whose money is on its way is never erased',
    file: 'src/journeys/erasure/applicant-erasure.ts',
    find: "if (journey.state === 'DISBURSEMENT_PENDING') return 'MONEY_ON_ITS_WAY';",
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'one-obstacle-erases-the-others',
    rule: 'With one in the way nothing of the others is erased either',
    file: 'src/journeys/erasure/applicant-erasure.ts',
    find: 'if (inTheWay.length > 0) return',
    replace: 'if (inTheWay.length === journeys.length && journeys.length > 0) return',
    specs: ERASURE,
    equivalent:
      'The command throws when anything is in the way, inside the transaction: it is rolled back whole.',
  },
  {
    id: 'erasure-without-an-audit-row',
    rule: 'An erasure has its audit row',
    file: 'src/journeys/erasure/applicant-erasure.ts',
    find: "if (isErased) await this.audit.record(tx, journey, 'APPLICANT_ERASED', journey.state);",
    replace: '',
    specs: ERASURE,
  },
  {
    id: 'paid-application-is-erased',
    rule: 'An application that is paid and not decided is never erased',
    file: 'src/instant-loans/erasure/instant-loan-erasure.ts',
    find: "if (state === 'PAYMENT_RECEIVED') return",
    replace: "if (!isForced && state === 'PAYMENT_RECEIVED') return",
    specs: INSTANT,
  },
  {
    id: 'payment-details-of-the-erased',
    rule: 'What the payment gateway was told is erased with the application',
    file: 'src/instant-loans/erasure/instant-loan-erasure.ts',
    find: 'await this.payments.erase(tx, partnerId, id),\n',
    replace: '',
    specs: INSTANT,
  },
];
