import { auditSource } from '../../audit/index.js';
import { ConsentLogEntry } from './consent-log-entry.entity.js';

export const CONSENT_LOG_SOURCE = auditSource(ConsentLogEntry, {
  subject: 'subjectId',
  at: 'recordedAt',
  tell: ({ way, basis = '', language = '', text_version: version, shown_text: text }) => {
    const isHosted = way === 'HOSTED';
    const whose = isHosted ? 'The applicant consented on our page' : 'The partner attests';
    if (version === undefined) return `${whose}: ${basis}.`;
    const which = `text ${version} in ${language}`;
    if (text === undefined) return `${whose}: ${basis}; it says that it has shown ${which}.`;
    const words = isHosted ? which : `${which}, filled in with the lenders that it says it named`;
    return `${whose}: ${basis}, ${words}: “${text}”.`;
  },
});
