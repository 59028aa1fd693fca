import type { OutboundAnswer, OutboundRequest } from '../guarded-client.js';
import type { OutboundFailureReason } from '../outbound-failure.js';

/** What the thread is started with. */
export interface OutboundSetUp {
  readonly isLoopback: boolean;
}

/** One request of many like it. */
export interface ThreadRequest extends OutboundRequest {
  /** Of the answer's headers, in lower case: the others are left behind. */
  readonly keptHeaders: readonly string[];
}

export interface Post extends ThreadRequest {
  readonly url: string;
}

/** What came of it: an answer, or why there is none that could be used. */
export type Posted = { readonly answer: OutboundAnswer } | { readonly failure: FailureParts };

export interface FailureParts {
  readonly reason: OutboundFailureReason;
  readonly message: string;
  readonly status?: number;
  readonly durationMs: number;
}
