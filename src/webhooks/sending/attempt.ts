import type { AttemptResult } from './attempt-result.js';
import type { ClaimedDelivery } from './claimed-delivery.js';

/** One attempt and what came of it. */
export interface Attempt {
  readonly claim: ClaimedDelivery;
  readonly startedAt: Date;
  readonly result: AttemptResult;
  /** The wait before the next attempt; null when there is none. */
  readonly retryDelayMs: number | null;
}
