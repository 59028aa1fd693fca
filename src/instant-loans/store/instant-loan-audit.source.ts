import { auditSource, toldJson } from '../../audit/index.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';
import { InstantLoanDetail, standingAfter, whatHappened } from './instant-loan-story.js';

export const INSTANT_LOAN_AUDIT_SOURCE = auditSource(InstantLoanAuditRow, {
  subject: 'applicationId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_status: from, to_status: to = '', detail }) => {
    const what = whatHappened(trigger, toldJson(InstantLoanDetail, detail));
    const isNote = from === undefined || from === to;
    return isNote ? `${what}.` : `${what}; the application is now ${standingAfter(to)}.`;
  },
});
