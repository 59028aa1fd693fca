import { auditSource } from '../../audit/index.js';
import { KeyFactsStatementRow } from './key-facts-statement.entity.js';

export const KEY_FACTS_SOURCE = auditSource(KeyFactsStatementRow, {
  subject: 'journeyId',
  at: 'frozenAt',
  sealed: ['contentSealed'],
  filledIn: ['acknowledgedHash', 'acknowledgedAt', 'acknowledgedBy', 'acknowledgedLanguage'],
  tell: ({ offer_id: offer = '', content_hash: hash = '', acknowledged_at: at, ...row }) => {
    const which = `the Key Facts Statement of the offer ${offer}, SHA-256 ${hash}`;
    const signed = row['lender_signature'] === undefined ? '' : ', signed by its lender';
    if (at === undefined) return `Frozen: ${which}${signed}.`;
    const { acknowledged_language: language = 'not noted', acknowledged_by: by = '' } = row;
    return `Acknowledged by the applicant (${by}, language ${language}): ${which}.`;
  },
});
