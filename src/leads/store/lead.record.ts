import type { CurrentRecord } from '../../audit/index.js';

/** The audit of a lead's journey determines it. */
export function leadRecord(determinedBy: CurrentRecord['determinedBy']): CurrentRecord {
  return {
    table: 'applications',
    subject: ['journey_id'],
    key: 'id',
    values: { status: 'r.status', loan_amount: 'r.loan_amount' },
    determinedBy,
  };
}
