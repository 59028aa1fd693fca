import type { CurrentRecord } from '../../audit/index.js';

/** A lead belongs to a journey or is an instant loan: the audit of these determines it. */
export function leadRecord(determinedBy: CurrentRecord['determinedBy']): CurrentRecord {
  return {
    table: 'applications',
    subject: ['journey_id', 'id'],
    key: 'id',
    values: { status: 'r.status', loan_amount: 'r.loan_amount' },
    determinedBy,
  };
}
