import { Injectable, Logger } from '@nestjs/common';
import {
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

/** Waits after each failed attempt, in milliseconds, before jitter. */
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

/** The first attempt and one retry per wait: a little over two days. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = 1 * HOUR;
const DELTA_SECONDS = /^\d{1,10}$/;

/**
 * Milliseconds; null after the last attempt.
 * @param attempt from 1
 * @param fraction of the jitter, 0 to 1
 * @param requestedMs the receiver's minimum, honoured up to one hour
 */
export function retryDelayMs(
  attempt: number,
  fraction: number,
  requestedMs: number | null = null,
): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const scheduled = Math.round(wait * (1 + JITTER * fraction));
  return Math.max(scheduled, Math.min(requestedMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/** Milliseconds from now in `Retry-After` (RFC 9110, section 10.2.3); null if absent or invalid. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (DELTA_SECONDS.test(text)) return Number(text) * SECOND;
  // `Date.parse` reads odd numbers as years, but HTTP dates have letters.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** A post must start within this time of reading its subscription. */
export const READ_VALID_MS = 500;
/** This long after a change, no post uses data read before it. */
export const READS_EXPIRED_AFTER_MS = READ_VALID_MS + 100;

/** The contract's deadline for a response. */
const DEADLINE_MS = 5_000;
/** For the logged body; the status already decides the result. */
const BODY_MS = 500;
export const ATTEMPT_MS = DEADLINE_MS + BODY_MS;
const LIMITS: ThreadLimits = {
  deadlineMs: DEADLINE_MS,
  bodyMs: BODY_MS,
  maxResponseBytes: 16 * 1_024,
  keptHeaders: ['retry-after'],
};

const MAX_EXCERPT_BYTES = 1_024;
/** UTF-8 bytes per UTF-16 unit of a JavaScript string. */
const MAX_BYTES_A_UNIT = 3;
const GONE = 410;
const RETRY_AFTER_STATUSES = new Set([429, 503]);

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
    private readonly signing: SystemClock,
    private readonly random: RandomSource,
  ) {}

  /**
   * @throws TooLate if the claim was too old to start; Error for an internal error. Neither may
   *   count against the receiver.
   */
  async send(claim: ClaimedDelivery): Promise<Attempt> {
    const startedAt = performance.now();
    const leftMs = claim.readAt + READ_VALID_MS - performance.now();
    return this.attemptOf(claim, startedAt, await this.post(claim, leftMs));
  }

  /** For a connection that took too long twice. */
  connectionTimeout(claim: ClaimedDelivery): Attempt {
    return this.attemptOf(claim, performance.now(), connectionTimeout());
  }

  /**
   * @param startWithinMs if it cannot start in time, the post is not made
   * @throws TooLate; Error for an internal error before a response
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

  private attemptOf(claim: ClaimedDelivery, startedAt: number, result: AttemptResult): Attempt {
    const delayMs = result.isSuccess
      ? null
      : retryDelayMs(claim.attempt, this.random.fraction(), result.retryAfterMs);
    return { claim, startedAt, result, retryDelayMs: delayMs };
  }

  /** An unreadable response counts too: otherwise the delivery would repeat forever. */
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

export function connectionTimeout(): AttemptResult {
  return resultOfFailure(new OutboundFailure('TIMEOUT', { durationMs: DEADLINE_MS }));
}

export function resultOfAnswer(answer: OutboundAnswer, now: Date): AttemptResult {
  const retryAfter = answer.headers['retry-after'];
  return {
    ...resultOfStatus(answer),
    responseExcerpt: excerptOf(answer.excerpt),
    retryAfterMs: RETRY_AFTER_STATUSES.has(answer.status) ? retryAfterMs(retryAfter, now) : null,
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

/** PostgreSQL cannot store NUL. Masks before cutting: a cut could hide a number's format. */
function excerptOf(answer: string): string {
  const text = maskPersonalData(answer.replaceAll('\0', ''));
  if (text.length * MAX_BYTES_A_UNIT <= MAX_EXCERPT_BYTES) return text;
  const bytes = Buffer.from(text, 'utf8').subarray(0, MAX_EXCERPT_BYTES);
  return new TextDecoder().decode(bytes, { stream: true });
}
