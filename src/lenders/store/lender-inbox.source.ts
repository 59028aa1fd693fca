import { auditSource } from '../../audit/index.js';
import { LenderInboxRow } from './lender-inbox.entity.js';
import { OWN_ANSWERS } from './lender-inbox.repository.js';

export const LENDER_INBOX_SOURCE = auditSource(LenderInboxRow, {
  subject: 'subjectId',
  at: 'receivedAt',
  sealed: ['answerSealed'],
  // How far it is processed: what came of it is in the loan's own audit.
  leftOut: ['attempts', 'nextAttemptAt', 'consumedAt'],
  tell: ({ lender_code: lender = '', kind = '', answer_id: id = '' }, event) => {
    if (id.startsWith(OWN_ANSWERS)) {
      return `The lender ${lender} could not be reached with the question ${kind}.`;
    }
    return event === 'UPDATE'
      ? `What the lender ${lender} had answered to the question ${kind} was erased.`
      : `The lender ${lender} answered the question ${kind} (answer ${id}).`;
  },
});
