import { type CurrentRecord, detailOf, type RecordedRow, textOf } from '../../audit/index.js';
import { INSTANT_LOAN_AUDIT_SOURCE } from './instant-loan-audit.source.js';

/** The status, the amount and the chosen offer of an instant loan, as its audit determines them. */
export const INSTANT_LOAN_RECORD: CurrentRecord = {
  table: 'instant_loans',
  subject: ['id'],
  key: 'id',
  values: {
    status: 'r.status',
    loan_amount: 'r.loan_amount',
    offer_id: 'r.offer_id',
    lender_code: 'r.lender_code',
    fee: 'r.fee',
    fee_on_decline: 'r.fee_on_decline',
  },
  determinedBy: (table, row) => {
    if (table !== INSTANT_LOAN_AUDIT_SOURCE.table) return null;
    const { offerId, lenderCode, fee, feeOnDecline } = detailOf(row);
    const isChoice = typeof row.trigger === 'string' && CHOICES.has(row.trigger);
    const chosen = {
      offer_id: offerId,
      lender_code: lenderCode,
      fee,
      fee_on_decline: feeOnDecline,
    };
    const values = { ...loanDeterminedBy(row), ...(isChoice && chosen) };
    return { key: textOf(row.application_id), values };
  },
};

const CHOICES: ReadonlySet<string> = new Set([
  'OFFER_CHOSEN',
  'OFFERS_OPENED',
  'LEADING_OFFER_CHOSEN',
  'OTHER_OFFER_CHOSEN',
  'NEXT_OFFER',
]);

/** The lead of an instant loan has the loan's status and amount. */
export const instantLead: CurrentRecord['determinedBy'] = (table, row) => {
  if (table !== INSTANT_LOAN_AUDIT_SOURCE.table) return null;
  return { key: textOf(row.application_id), values: loanDeterminedBy(row) };
};

function loanDeterminedBy(row: RecordedRow): RecordedRow {
  if (row.trigger === 'APPLIED') {
    return { status: row.to_status, loan_amount: detailOf(row).loanAmount };
  }
  return row.from_status === row.to_status ? {} : { status: row.to_status };
}
