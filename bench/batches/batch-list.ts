import type { Edit } from '../support/built-copy.ts';

/** A place where simultaneous work shares a round trip, and the edit that removes this. */
export interface Batch {
  readonly name: string;
  /** The call, or the sender of webhooks, that it speeds up. */
  readonly serves: 'journey' | 'first-read' | 'initiate' | 'webhooks';
  readonly edits: readonly Edit[];
}

/** Single items, as many in parallel as the pool allows. */
const ALONE = 'maxItems: 1, maxInFlight: 64';

export const BATCHES: readonly Batch[] = [
  {
    name: 'admission of requests',
    serves: 'journey',
    edits: [
      {
        file: 'auth/partner.guard.js',
        find: 'const MAX_REQUESTS_PER_BATCH = 128;',
        replace: 'const MAX_REQUESTS_PER_BATCH = 1;',
      },
      {
        file: 'auth/partner.guard.js',
        find: 'const MAX_BATCHES_IN_FLIGHT = 2;',
        replace: 'const MAX_BATCHES_IN_FLIGHT = 64;',
      },
    ],
  },
  {
    name: 'reads of journeys',
    serves: 'journey',
    edits: [
      {
        file: 'journeys/store/journeys.repository.js',
        find: 'new Batcher({ ...READS_A_BATCH,',
        replace: `new Batcher({ ${ALONE},`,
      },
    ],
  },
  {
    name: 'reads of offers',
    serves: 'first-read',
    edits: [
      {
        file: 'journeys/store/offers.repository.js',
        find: 'new Batcher({ ...READS_A_BATCH,',
        replace: `new Batcher({ ${ALONE},`,
      },
    ],
  },
  {
    name: 'records of what was shown',
    serves: 'first-read',
    edits: [
      {
        file: 'matching/store/offer-presentations.repository.js',
        find: 'new Batcher({ ...A_BATCH,',
        replace: `new Batcher({ ${ALONE},`,
      },
    ],
  },
  {
    name: 'starts of journeys',
    serves: 'initiate',
    edits: [
      {
        file: 'journeys/use-cases/journey-starts.js',
        find: 'const MAX_STARTS_PER_BATCH = 64;',
        replace: 'const MAX_STARTS_PER_BATCH = 1;',
      },
      {
        file: 'journeys/use-cases/journey-starts.js',
        find: 'const MAX_BATCHES_IN_FLIGHT = 2;',
        replace: 'const MAX_BATCHES_IN_FLIGHT = 64;',
      },
    ],
  },
  {
    name: 'offers taken to journeys',
    serves: 'initiate',
    edits: [
      {
        file: 'journeys/background/lender-answers.consumer.js',
        find: 'const MAX_OFFERS_TOGETHER = 32;',
        replace: 'const MAX_OFFERS_TOGETHER = 1;',
      },
      {
        file: 'platform/work/inbox-consumer.js',
        find: 'const BATCH_WORKERS = 3;',
        replace: 'const BATCH_WORKERS = 6;',
      },
    ],
  },
  {
    name: 'records of attempts',
    serves: 'webhooks',
    edits: [
      {
        file: 'webhooks/sender/attempt-recorder.js',
        find: 'maxItems: MAX_A_BATCH,\n        maxInFlight: 1,\n        restMs: PAUSE_MS,',
        replace: `${ALONE},`,
      },
    ],
  },
  {
    name: 'messages to the posting thread, and back',
    serves: 'webhooks',
    edits: [
      {
        file: 'platform/threads/answering-thread.js',
        find: 'maxItems: MAX_PER_MESSAGE,\n        maxInFlight: 1,',
        replace: `${ALONE},`,
      },
      {
        file: 'platform/threads/messages.js',
        find: 'maxItems: MAX_PER_MESSAGE,\n        maxInFlight: 1,',
        replace: `${ALONE},`,
      },
    ],
  },
];
