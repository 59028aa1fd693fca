import { type AuditSource, type CurrentRecord, detailOf, textOf } from '../../audit/index.js';
import { DAYS_KEPT } from './delivery-upkeep.repository.js';

/**
 * The body of each event.
 * @param audit whose rows have the event's id and the SHA-256 of its body
 */
export function eventRecord(audit: AuditSource): CurrentRecord {
  return {
    table: 'webhook_events',
    subject: ['journey_id'],
    key: 'id',
    values: { body: `encode(sha256(convert_to(r.body, 'UTF8')), 'hex')` },
    determinedBy: (table, row) => {
      const { eventId, eventHash } = detailOf(row);
      if (table !== audit.table || eventId === undefined) return null;
      return { key: textOf(eventId), values: { body: eventHash } };
    },
    removedAfterDays: DAYS_KEPT,
  };
}
