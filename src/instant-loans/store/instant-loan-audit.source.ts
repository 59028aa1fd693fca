import { auditSource } from '../../audit/index.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';

export const INSTANT_LOAN_AUDIT_SOURCE = auditSource(InstantLoanAuditRow, {
  subject: 'applicationId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_status: from, to_status: to = '' }) =>
    from === undefined || from === to
      ? `The instant loan is ${to}: ${trigger}.`
      : `The instant loan went from ${from} to ${to} on ${trigger}.`,
});
