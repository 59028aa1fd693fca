import type { OutboundAnswer, OutboundRequest } from '../guarded-client.js';
import type { OutboundFailureReason } from '../outbound-failure.js';

/** What the thread is started with. */
export interface OutboundSetUp {
  readonly isLoopback: boolean;
}

/** What is sent to an address. */
export type ThreadRequest = Pick<OutboundRequest, 'headers' | 'body'>;

/** Meant to be one object for many requests: it then passes to the thread once a message. */
export interface ThreadLimits extends Omit<OutboundRequest, keyof ThreadRequest> {
  /** How long a request may wait for the thread; later than that it is not sent. */
  readonly startWithinMs: number;
  /** Of the answer's headers, in lower case: the others are left behind. */
  readonly keptHeaders: readonly string[];
}

export interface Post extends ThreadRequest {
  readonly url: string;
  readonly limits: ThreadLimits;
  /** By `machineMs`. */
  readonly notAfter: number;
}

/** Milliseconds of the machine's monotonic clock, of which `performance.now` gives each thread its own. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** What came of it: an answer, or why there is none that could be used. */
export type Posted = OutboundAnswer | FailureParts;

export interface FailureParts {
  readonly reason: OutboundFailureReason;
  readonly message: string;
  readonly status?: number;
  readonly durationMs: number;
}
