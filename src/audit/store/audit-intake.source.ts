import { auditSource } from '../audit-source.js';
import { AuditIntake } from './audit-intake.entity.js';

/**
 * That the old rows of a table have been taken in is in a chain itself: whoever sets it back, to have a row
 * of theirs taken in as an old one, is found.
 */
export const AUDIT_INTAKE_SOURCE = auditSource(AuditIntake, {
  subject: 'subjectId',
  at: 'doneAt',
  leftOut: ['lastKey'],
  filledIn: ['doneAt'],
  // The migration that made its trigger had what was there join.
  isTakenIn: false,
  tell: ({ source = '', done_at: doneAt }) =>
    doneAt === undefined
      ? `Rows of ${source} from before its audit was chained are being taken in.`
      : `All rows of ${source} from before its audit was chained have been taken in.`,
});
