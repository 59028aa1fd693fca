import { auditSource } from '../../audit/index.js';
import { OfferPresentation } from './offer-presentation.entity.js';

export const OFFER_PRESENTATION_SOURCE = auditSource(OfferPresentation, {
  subject: 'subjectId',
  at: 'recordedAt',
  // Long; the audit contains its hash.
  sealed: ['content'],
  tell: ({ id = '', kind = '', place = '', language, metric = '', content_hash: hash = '' }) => {
    const by = place === 'API' ? 'to the partner by the API' : 'on our page';
    const where = language === undefined ? by : `${by}, language ${language}`;
    const file = presentationFile(kind, id);
    return kind === 'CHOSEN'
      ? `An offer was chosen of those that were shown ${where}; which, and of which ones, is in “${file}”, SHA-256 ${hash}.`
      : `Offers were shown ${where}, in the order of the published metric ${metric}; the comparison is in “${file}”, SHA-256 ${hash}.`;
  },
});

/** The document's name in the auditor's file. */
export function presentationFile(kind: string, id: string): string {
  return `offers ${kind.toLowerCase()} ${id}.json`;
}
