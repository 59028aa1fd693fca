import { auditSource } from '../../audit/index.js';
import { type AcknowledgedBy, KeyFactsStatementRow } from './key-facts-statement.entity.js';

const BY: Readonly<Record<AcknowledgedBy, string>> = {
  CONFIRMATION: 'on the page of the hosted journey',
  REDIRECT: 'on our page before the provider’s',
  SANDBOX_RETURN: 'by a return that stands for a visit, in the sandbox alone',
};

export const KEY_FACTS_SOURCE = auditSource(KeyFactsStatementRow, {
  subject: 'journeyId',
  at: 'frozenAt',
  sealed: ['contentSealed'],
  filledIn: ['acknowledgedHash', 'acknowledgedAt', 'acknowledgedBy', 'acknowledgedLanguage'],
  tell: ({ offer_id: offer = '', content_hash: hash = '', acknowledged_at: at, ...row }) => {
    const which = `the Key Facts Statement of the offer ${offer}, SHA-256 ${hash}`;
    const signed = row['lender_signature'] === undefined ? '' : ', signed by its lender';
    if (at === undefined) return `Frozen, as its offer was chosen: ${which}${signed}.`;
    const { acknowledged_language: language = 'not noted', acknowledged_by: by = '' } = row;
    const how = BY[by as AcknowledgedBy] ?? by;
    return `Acknowledged by the applicant ${how}, language ${language}: ${which}.`;
  },
});
