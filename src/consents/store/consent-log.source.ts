import { auditSource } from '../../audit/index.js';
import { ConsentLogEntry } from './consent-log-entry.entity.js';

export const CONSENT_LOG_SOURCE = auditSource(ConsentLogEntry, {
  subject: 'subjectId',
  at: 'recordedAt',
  tell: ({ way, basis = '', language = '', text_version: version = '', shown_text: text }) => {
    const whose = way === 'HOSTED' ? 'The applicant consented on our page' : 'The partner attests';
    return text === undefined
      ? `${whose}: ${basis}.`
      : `${whose}: ${basis}, text ${version} in ${language}: “${text}”.`;
  },
});
