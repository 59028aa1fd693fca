import { randomBytes } from 'node:crypto';
import type { PublishedEvent } from '../../../src/webhooks/index.js';

export const PARTNER = 'bench';

export function someEvent(given: Partial<PublishedEvent> = {}): PublishedEvent {
  return {
    partnerId: PARTNER,
    journeyId: `jrn_${randomBytes(16).toString('hex')}`,
    applicationId: `app_${'1'.repeat(32)}`,
    name: 'journey.initiated',
    sequence: 1,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    data: {
      productCode: 'ONLINE_PERSONAL',
      channel: 'API_HEADLESS',
      state: 'INITIATED',
      nextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
      outcome: 'IN_PROGRESS',
    },
    ...given,
  };
}
