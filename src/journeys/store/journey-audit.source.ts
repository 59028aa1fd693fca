import { auditSource } from '../../audit/index.js';
import { JourneyAuditRow } from './journey-audit.entity.js';

const NOTES: Readonly<Record<string, string>> = {
  CONSENTED: 'The applicant gave their consent',
  CONFIRMED: 'The applicant confirmed their details',
  KEY_FACTS_ACKNOWLEDGED: 'The applicant acknowledged the Key Facts Statement',
  APPLICANT_ERASED: 'The applicant’s personal data was erased',
};

export const JOURNEY_AUDIT_SOURCE = auditSource(JourneyAuditRow, {
  subject: 'journeyId',
  at: 'createdAt',
  isErasure: ({ trigger }) => trigger === 'APPLICANT_ERASED',
  tell: ({ trigger = '', from_state: from, to_state: to = '', detail = '{}' }) => {
    const note = NOTES[trigger];
    if (note) return `${note} (state ${to}).`;
    if (from === undefined) return `The journey began (state ${to}).`;
    const { outcomeReason } = JSON.parse(detail) as { outcomeReason?: string | null };
    const why = outcomeReason ? `, because ${outcomeReason}` : '';
    return `The journey went from ${from} to ${to} on ${trigger}${why}.`;
  },
});
