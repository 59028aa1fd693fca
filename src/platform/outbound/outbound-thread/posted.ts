import type { ExchangeLimits } from '../exchange.js';
import type { OutboundAnswer, OutboundRequest } from '../guarded-client.js';
import type { OutboundFailureReason } from '../outbound-failure.js';
import type { TooLate } from '../too-late.js';

/** What the thread is started with. */
export interface OutboundSetUp {
  readonly isLoopback: boolean;
}

/** What is sent to an address. */
export interface ThreadRequest extends Pick<OutboundRequest, 'headers' | 'body'> {
  /** How long it may take until it is started, thread and connection included. */
  readonly startWithinMs: number;
}

/** Meant to be one object for many requests: it then passes to the thread once a message. */
export interface ThreadLimits extends Omit<ExchangeLimits, 'notAfter'> {
  /** Of the answer's headers, in lower case: the others are left behind. */
  readonly keptHeaders: readonly string[];
}

export interface Post extends Omit<ThreadRequest, 'startWithinMs'> {
  readonly url: string;
  readonly limits: ThreadLimits;
  /** By `machineMs`. */
  readonly notAfter: number;
}

/** What came of it: an answer, why there is none that could be used, or that it was not sent. */
export type Posted = OutboundAnswer | FailureParts | Pick<TooLate, 'hasConnected'>;

export interface FailureParts {
  readonly reason: OutboundFailureReason;
  readonly message: string;
  readonly status?: number;
  readonly durationMs: number;
}
