import { auditSource } from '../../audit/index.js';
import type { InstantLoanTrigger } from '../domain/transition-table.js';
import type { InstantLoanNote } from './instant-loan-audit.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';

type Told = InstantLoanTrigger | InstantLoanNote;

const WHAT: Readonly<Record<Told, string>> = {
  APPLIED: 'The application for an instant loan came in',
  LENDER_ANSWERED: 'A lender answered what it offers',
  LENDER_MISSED: 'A lender had not answered when the time for offers was over',
  OFFER_TOO_LATE: 'An offer came too late',
  OFFER_CHOSEN: 'The best of the binding offers was chosen',
  KEY_FACTS_AGREED: 'The applicant agreed to the Key Facts Statement',
  ORDERED: 'The payment of the fee was ordered',
  ORDERED_AGAIN: 'The payment of the fee was ordered again',
  PAID: 'The fee was paid',
  TRY_FAILED: 'A try to pay the fee failed',
  TIME_RAN_OUT: 'The time to pay ran out',
  WITHDRAWN: 'The application was withdrawn, as the applicant’s data is erased',
  LENDER_GONE: 'The lender is switched off, or has no account for its fee any more',
  PAID_TOO_LATE: 'Money came after the application was over',
  PAID_AGAIN: 'The fee was paid a second time',
  LENDERS_DECLINED: 'Every lender that answered declined',
  LENDERS_SILENT: 'No lender answered in time',
  SANCTIONED: 'The lender sanctioned the loan',
  DECLINED: 'The lender declined',
  FEE_GOES_BACK: 'The fee goes back to the applicant',
  FEE_KEPT: 'The lender keeps the fee, as its terms say',
  REFUND_TOLD: 'The applicant was told of the refund',
  LENDER_SILENT: 'The lender had not answered in time; the operator was told',
  APPLICANT_ERASED: 'The applicant’s personal data was erased',
};

export const INSTANT_LOAN_AUDIT_SOURCE = auditSource(InstantLoanAuditRow, {
  subject: 'applicationId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_status: from, to_status: to = '' }) => {
    const what = WHAT[trigger as Told] ?? `What is called ${trigger} happened`;
    const isNote = from === undefined || from === to;
    return isNote
      ? `${what} (status ${to}).`
      : `${what}: the application went from ${from} to ${to}.`;
  },
});
