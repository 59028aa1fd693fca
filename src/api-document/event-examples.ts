import type { WebhookEventName } from '../webhooks/index.js';

type Moment = readonly [sequence: number, state: string, type: string, category: string];

/** Moments of three personal loans: one is paid out, one fails KYC, one is abandoned. */
const MOMENTS: Readonly<Record<WebhookEventName, Moment>> = {
  'journey.initiated': [1, 'INITIATED', 'POLL_LENDER_OFFERS', 'POLL'],
  'journey.offers_received': [2, 'OFFERS_RECEIVED', 'SELECT_OFFER', 'ACTION'],
  'journey.offer_selected': [3, 'KYC_PENDING', 'REDIRECT_TO_KYC', 'REDIRECT'],
  'journey.kyc_done': [4, 'BANK_ACCOUNT_PENDING', 'SUBMIT_BANK_ACCOUNT', 'ACTION'],
  'journey.enach_done': [5, 'ESIGN_PENDING', 'REDIRECT_TO_ESIGN', 'REDIRECT'],
  'journey.esign_done': [6, 'DISBURSEMENT_PENDING', 'POLL_DISBURSEMENT', 'POLL'],
  'journey.completed': [7, 'SANCTIONED', 'JOURNEY_COMPLETED', 'DONE'],
  'journey.rejected': [4, 'REJECTED', 'JOURNEY_REJECTED', 'DONE'],
  'journey.abandoned': [3, 'ABANDONED', 'JOURNEY_ABANDONED', 'DONE'],
};

/** Only the differences from the schema's examples. A test compares it with a journey's event. */
export function eventExample(name: WebhookEventName): object {
  const [sequence, state, type, category] = MOMENTS[name];
  const outcome = category === 'DONE' ? state : 'IN_PROGRESS';
  return { sequence, data: { state, nextAction: { type, category }, outcome } };
}
