import type { Channel } from '../journey.js';
import type { JourneyState } from './journey-state.js';

/** What the caller should do now. */
export interface NextAction {
  readonly type: string;
  readonly category: 'POLL' | 'REDIRECT' | 'ACTION' | 'WAIT' | 'DONE';
  readonly url?: string;
}

interface Position {
  readonly state: JourneyState;
  readonly channel: Channel;
  /** Whether the applicant is back from the redirect while its provider has not decided. */
  readonly isReturned: boolean;
}

const PLAIN: Partial<Record<JourneyState, NextAction>> = {
  INITIATED: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
  OFFERS_RECEIVED: { type: 'SELECT_OFFER', category: 'ACTION' },
  OFFER_SELECTED: { type: 'SELECT_GOLD_LOAN_BRANCH', category: 'ACTION' },
  BANK_ACCOUNT_PENDING: { type: 'SUBMIT_BANK_ACCOUNT', category: 'ACTION' },
  DISBURSEMENT_PENDING: { type: 'POLL_DISBURSEMENT', category: 'POLL' },
  SANCTIONED: { type: 'JOURNEY_COMPLETED', category: 'DONE' },
  REJECTED: { type: 'JOURNEY_REJECTED', category: 'DONE' },
  ABANDONED: { type: 'JOURNEY_ABANDONED', category: 'DONE' },
};

const REDIRECTS: Partial<Record<JourneyState, string>> = {
  KYC_PENDING: 'KYC',
  MANDATE_PENDING: 'MANDATE',
  ESIGN_PENDING: 'ESIGN',
};

/** The next action of a journey; `redirectUrl` is where its current redirect step is opened. */
export function nextActionOf(position: Position, redirectUrl?: string): NextAction {
  const plain = PLAIN[position.state];
  // The partner waits for an applicant who is on our screens, whatever screen that is.
  if (position.channel === 'API_HOSTED' && plain?.category !== 'DONE') {
    return { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };
  }
  if (plain) return plain;
  const step = REDIRECTS[position.state]!;
  if (position.isReturned) return { type: `POLL_${step}_STATUS`, category: 'POLL' };
  return {
    type: `REDIRECT_TO_${step}`,
    category: 'REDIRECT',
    ...(redirectUrl !== undefined && { url: redirectUrl }),
  };
}
