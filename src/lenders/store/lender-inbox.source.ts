import { auditSource } from '../../audit/index.js';
import type { QuestionKind } from '../lender-port.js';
import { REVISED_OFFER } from '../revised-offer.js';
import { LenderInboxRow } from './lender-inbox.entity.js';
import { OWN_ANSWERS } from './lender-inbox.repository.js';

const QUESTIONS: Readonly<Partial<Record<QuestionKind, string>>> = {
  OFFERS: 'which offers it makes',
  INSTANT_OFFERS: 'which binding offers it makes',
  KYC: 'whether it has verified the applicant',
  MANDATE: 'whether the mandate to repay was set up',
  ESIGN: 'whether the agreement was signed',
  DISBURSEMENT: 'whether the loan is paid out',
  DECISION: 'whether it lends',
  WITHDRAWAL: 'that it has noted that nothing more comes of an offer or application',
};

export const LENDER_INBOX_SOURCE = auditSource(LenderInboxRow, {
  subject: 'subjectId',
  at: 'receivedAt',
  sealed: ['answerSealed'],
  // How far it is processed: what came of it is in the loan's own audit.
  leftOut: ['attempts', 'nextAttemptAt', 'consumedAt'],
  tell: ({ lender_code: lender = '', kind = '', answer_id: id = '', reference }, event) => {
    const isOurs = id.startsWith(OWN_ANSWERS);
    const isRevised = kind === 'OFFERS' && reference === REVISED_OFFER;
    const what = isRevised
      ? 'by which offer it replaces the chosen one'
      : (QUESTIONS[kind as QuestionKind] ?? `a question ${kind}`);
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
