import {
  maskPersonalData,
  type OutboundAnswer,
  type OutboundFailure,
  type OutboundFailureReason,
} from '../../platform/index.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { retryAfterMs } from './retry-schedule.js';

const MAX_EXCERPT_BYTES = 1_024;
/** Of UTF-8, for each unit of a JavaScript string. */
const MAX_BYTES_A_UNIT = 3;
const GONE = 410;
/** The statuses whose `Retry-After` says when to come back. */
const BUSY = new Set([429, 503]);

/** What came of one attempt. */
export interface AttemptResult {
  readonly isSuccess: boolean;
  /** The receiver says that it wants nothing more, ever. */
  readonly isGone: boolean;
  /** Null when no answer came. */
  readonly responseStatus: number | null;
  /** The first kilobyte of the answer, personal data masked; null when none came, or it could not be read. */
  readonly responseExcerpt: string | null;
  /** Why no usable answer came; null when one came. */
  readonly failure: OutboundFailureReason | null;
  /** What the receiver asked for; null when it did not ask. */
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

/** One attempt and what came of it. */
export interface Attempt {
  readonly claim: ClaimedDelivery;
  readonly startedAt: Date;
  readonly result: AttemptResult;
  /** The wait before the next attempt; null when there is none. */
  readonly retryDelayMs: number | null;
}

/** Any 2xx is a success; everything else has failed. */
export function resultOfAnswer(answer: OutboundAnswer, now: Date): AttemptResult {
  const retryAfter = answer.headers['retry-after'];
  return {
    ...resultOfStatus(answer),
    responseExcerpt: excerptOf(answer.excerpt),
    retryAfterMs: BUSY.has(answer.status) ? retryAfterMs(retryAfter, now) : null,
  };
}

/** The same of an answer whose rest could not be read: its status decides by itself. */
export function resultOfStatus({ status, durationMs }: OutboundAnswer): AttemptResult {
  return {
    isSuccess: status >= 200 && status < 300,
    isGone: status === GONE,
    responseStatus: status,
    responseExcerpt: null,
    failure: null,
    retryAfterMs: null,
    durationMs,
  };
}

export function resultOfFailure(failure: OutboundFailure): AttemptResult {
  return {
    isSuccess: false,
    isGone: false,
    responseStatus: failure.status ?? null,
    responseExcerpt: null,
    failure: failure.reason,
    retryAfterMs: null,
    durationMs: failure.durationMs,
  };
}

/**
 * PostgreSQL's text holds no NUL, and a cut in the middle of a character leaves that one out. A receiver may
 * repeat what it knows of an applicant: that is masked before the cut, which could hide its form.
 */
function excerptOf(answer: string): string {
  const text = maskPersonalData(answer.replaceAll('\0', ''));
  if (text.length * MAX_BYTES_A_UNIT <= MAX_EXCERPT_BYTES) return text;
  const bytes = Buffer.from(text, 'utf8').subarray(0, MAX_EXCERPT_BYTES);
  return new TextDecoder().decode(bytes, { stream: true });
}
