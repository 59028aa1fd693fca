import { auditSource } from '../../audit/index.js';
import { OfferPresentation } from './offer-presentation.entity.js';

export const OFFER_PRESENTATION_SOURCE = auditSource(OfferPresentation, {
  subject: 'subjectId',
  at: 'recordedAt',
  // Long, and its hash stands beside it.
  sealed: ['content'],
  tell: ({ kind, place = '', language, metric = '', content_hash: hash = '' }) => {
    const by = place === 'API' ? 'to the partner by the API' : 'on our page';
    const where = language === undefined ? by : `${by}, language ${language}`;
    return kind === 'CHOSEN'
      ? `An offer was chosen of those that were shown ${where}; which, and of which ones: SHA-256 ${hash}.`
      : `Offers were shown ${where}, in the order of the published metric ${metric}; the comparison: SHA-256 ${hash}.`;
  },
});
