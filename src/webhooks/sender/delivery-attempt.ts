import { Injectable, Logger } from '@nestjs/common';
import {
  Clock,
  logFailure,
  maskPersonalData,
  type OutboundAnswer,
  OutboundFailure,
  OutboundThread,
  RandomSource,
  SystemClock,
  type ThreadLimits,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { Attempt, AttemptResult } from '../store/attempts.repository.js';
import type { ClaimedDelivery, SendingTarget } from '../store/lane-claims.repository.js';
import { SubscriptionSecrets } from '../subscriptions/subscription-secrets.js';
import { deliveryHeaders } from './signatures.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the first, the second, … failed attempt, in milliseconds, before jitter. */
const WAITS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

/** The first attempt and a retry after each wait: a little more than two days. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = 1 * HOUR;
const DELTA_SECONDS = /^\d{1,10}$/;

/**
 * How long to wait after a failed attempt, in milliseconds.
 * @param attempt the number of the attempt that failed, from 1
 * @param fraction where in the jitter (up to a fifth of the wait) this one lies, 0 to 1
 * @param askedForMs what the receiver asked for: never less is waited, but of its wish no more
 *   than an hour counts
 * @returns null when that was the last attempt
 */
export function retryDelayMs(
  attempt: number,
  fraction: number,
  askedForMs: number | null = null,
): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const scheduled = Math.round(wait * (1 + JITTER * fraction));
  return Math.max(scheduled, Math.min(askedForMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), a number of seconds or a date, as milliseconds
 * from now. Null when it is absent or makes no sense.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (DELTA_SECONDS.test(text)) return Number(text) * SECOND;
  // Dates have letters; `Date.parse` would read a year into any odd number.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** How long after a subscription was read a post to it may start. */
export const GOOD_FOR_MS = 500;
/** How long after a change no post starts any more that was read before it. */
export const SETTLED_MS = GOOD_FOR_MS + 100;

/** The contract's deadline for an answer. */
const DEADLINE_MS = 5_000;
/** For the logged body: the status has settled the attempt. */
const BODY_MS = 500;
/** The longest that an attempt takes. */
export const ATTEMPT_MS = DEADLINE_MS + BODY_MS;
const LIMITS: ThreadLimits = {
  deadlineMs: DEADLINE_MS,
  bodyMs: BODY_MS,
  maxResponseBytes: 16 * 1_024,
  keptHeaders: ['retry-after'],
};

const MAX_EXCERPT_BYTES = 1_024;
/** Of UTF-8, for each unit of a JavaScript string. */
const MAX_BYTES_A_UNIT = 3;
const GONE = 410;
/** The statuses with which `Retry-After` counts. */
const BUSY = new Set([429, 503]);

/** What the receiver sees of a delivery, and where it goes. */
export type Message = Pick<ClaimedDelivery, 'eventId' | 'body' | 'attempt'> & {
  readonly eventName: string;
  readonly lane: SendingTarget;
};

/** Signs and posts one delivery, outside any transaction. */
@Injectable()
export class DeliveryAttempt {
  private readonly logger = new Logger(DeliveryAttempt.name);

  constructor(
    private readonly outbound: OutboundThread,
    private readonly secrets: SubscriptionSecrets,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
    private readonly signing: SystemClock,
    private readonly random: RandomSource,
  ) {}

  /**
   * @throws TooLate when the claim was too old before the post could start; Error for an internal
   *   error before an answer. Neither may count against the receiver.
   */
  async send(claim: ClaimedDelivery): Promise<Attempt> {
    const startedAt = this.clock.now();
    const leftMs = claim.readAt + GOOD_FOR_MS - performance.now();
    return this.attemptOf(claim, startedAt, await this.post(claim, leftMs));
  }

  /** The attempt of a delivery whose connection took too long twice. */
  unconnected(claim: ClaimedDelivery): Attempt {
    return this.attemptOf(claim, this.clock.now(), unconnected());
  }

  /**
   * @param startWithinMs a post that cannot start within that time is not made
   * @throws TooLate; Error for an internal error before an answer
   */
  async post(message: Message, startWithinMs: number): Promise<AttemptResult> {
    const notAfter = performance.now() + startWithinMs;
    const { slug } = await this.settings.brand();
    const { url } = message.lane;
    try {
      const headers = this.headers(message, slug);
      const leftMs = notAfter - performance.now();
      const request = { headers, body: message.body, startWithinMs: leftMs };
      const answer = await this.outbound.post(url, request, LIMITS);
      return this.resultOf(answer);
    } catch (error) {
      if (error instanceof OutboundFailure) return resultOfFailure(error);
      throw error;
    }
  }

  private attemptOf(claim: ClaimedDelivery, startedAt: Date, result: AttemptResult): Attempt {
    const delayMs = result.isSuccess
      ? null
      : retryDelayMs(claim.attempt, this.random.fraction(), result.retryAfterMs);
    return { claim, startedAt, result, retryDelayMs: delayMs };
  }

  /** An answer counts even if it cannot be read: otherwise it would be sent again without end. */
  private resultOf(answer: OutboundAnswer): AttemptResult {
    try {
      return resultOfAnswer(answer, this.signing.now());
    } catch (error) {
      logFailure(this.logger, error);
      return resultOfStatus(answer);
    }
  }

  private headers(message: Message, slug: string): Record<string, string> {
    const { subscriptionId, secretSealed, previousSecretsSealed } = message.lane;
    return deliveryHeaders({
      slug,
      subscriptionId,
      eventId: message.eventId,
      eventName: message.eventName,
      body: message.body,
      attempt: message.attempt,
      timestamp: this.signing.epochSeconds(),
      secret: this.secrets.open(secretSealed),
      previousSecrets: previousSecretsSealed.map((sealed) => this.secrets.open(sealed)),
    });
  }
}

/** The result of a post whose connection took too long twice. */
export function unconnected(): AttemptResult {
  return resultOfFailure(new OutboundFailure('TIMEOUT', { durationMs: DEADLINE_MS }));
}

/** Any 2xx is a success. */
export function resultOfAnswer(answer: OutboundAnswer, now: Date): AttemptResult {
  const retryAfter = answer.headers['retry-after'];
  return {
    ...resultOfStatus(answer),
    responseExcerpt: excerptOf(answer.excerpt),
    retryAfterMs: BUSY.has(answer.status) ? retryAfterMs(retryAfter, now) : null,
  };
}

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
 * Without NUL, which PostgreSQL's text cannot hold, and a character that the limit cuts. Masked
 * before the cut, which could hide the form of a number.
 */
function excerptOf(answer: string): string {
  const text = maskPersonalData(answer.replaceAll('\0', ''));
  if (text.length * MAX_BYTES_A_UNIT <= MAX_EXCERPT_BYTES) return text;
  const bytes = Buffer.from(text, 'utf8').subarray(0, MAX_EXCERPT_BYTES);
  return new TextDecoder().decode(bytes, { stream: true });
}
