import { auditSource } from '../../audit/index.js';
import { REDIRECT_DEFINITIONS, type RedirectStep } from '../../journey-steps/index.js';
import { type QuestionKind, REVISED_OFFER } from '../lender-port.js';
import { LenderInboxRow } from './lender-inbox.entity.js';
import { OWN_ANSWERS } from './lender-inbox.repository.js';

const OTHER_QUESTIONS: Readonly<Record<Exclude<QuestionKind, RedirectStep>, string>> = {
  OFFERS: 'which offers it makes',
  DISBURSEMENT: 'whether the loan is paid out',
  DECISION: 'whether it lends',
  WITHDRAWAL: 'that it has noted that nothing more comes of an offer or application',
};

const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_QUESTIONS),
  ...REDIRECT_DEFINITIONS.map(({ name, asks }): [string, string] => [name, asks]),
]);

export const LENDER_INBOX_SOURCE = auditSource(LenderInboxRow, {
  subject: 'subjectId',
  at: 'receivedAt',
  sealed: ['answerSealed'],
  // The result of processing is in the loan's own audit.
  leftOut: ['attempts', 'nextAttemptAt', 'consumedAt'],
  tell: ({ lender_code: lender = '', kind = '', answer_id: id = '', reference }, event) => {
    const isOurs = id.startsWith(OWN_ANSWERS);
    const isRevised = kind === 'OFFERS' && reference === REVISED_OFFER;
    const what = isRevised
      ? 'by which offer it replaces the chosen one'
      : (QUESTIONS.get(kind) ?? `a question ${kind}`);
    if (event === 'UPDATE') {
      const whose = isOurs
        ? `was noted of the lender ${lender}`
        : `the lender ${lender} had answered`;
      return `What ${whose} was erased: ${what}.`;
    }
    if (isOurs) return `The lender ${lender} could not be reached, to answer ${what}.`;
    if (isRevised) return `The lender ${lender} said ${what} (${id}).`;
    return `The lender ${lender} answered ${what} (answer ${id}).`;
  },
});
