import { auditSource } from '../../audit/index.js';
import { LenderMessage } from './lender-message.entity.js';
import { DAYS_KEPT } from './lender-messages.repository.js';

const WHAT: Readonly<Record<LenderMessage['kind'], string>> = {
  ANSWER: 'answered a question without being asked again',
  OFFER_REVISION: 'told of a revised offer',
  LOAN_EVENT: 'told what happened with the loan',
  STATEMENT: 'told what it paid out on a day',
};

export const LENDER_MESSAGE_SOURCE = auditSource(LenderMessage, {
  subject: 'subjectId',
  at: 'receivedAt',
  sealed: ['bodySealed'],
  // The inbox has their content.
  removedAfterDays: ({ kind }) => (kind === 'ANSWER' ? DAYS_KEPT : undefined),
  tell: ({ lender_code: lender = '', kind = '', message_id: id = '' }, event) =>
    event === 'UPDATE'
      ? `What the lender ${lender} had told was erased (message ${id}).`
      : `The lender ${lender} ${WHAT[kind as LenderMessage['kind']] ?? `told ${kind}`} (message ${id}).`,
});
