import { Injectable, Logger } from '@nestjs/common';
import {
  Clock,
  logFailure,
  type OutboundAnswer,
  OutboundFailure,
  OutboundThread,
  RandomSource,
  SystemClock,
  type ThreadLimits,
} from '../../platform/index.js';
import { SubscriptionSecrets } from '../subscriptions/subscription-secrets.js';
import {
  type Attempt,
  type AttemptResult,
  resultOfAnswer,
  resultOfFailure,
  resultOfStatus,
} from './attempt-result.js';
import { type ClaimedDelivery, GOOD_FOR_MS, type SendingTarget } from './claimed-delivery.js';
import { retryDelayMs } from './retry-schedule.js';
import { deliveryHeaders } from './signatures.js';
import { ServiceSettings } from '../../settings/index.js';

/** What the contract gives a receiver to answer. */
const DEADLINE_MS = 5_000;
/** For the log: the status has settled the attempt. */
const BODY_MS = 500;
/** The longest that an attempt takes. */
export const ATTEMPT_MS = DEADLINE_MS + BODY_MS;
const LIMITS: ThreadLimits = {
  deadlineMs: DEADLINE_MS,
  bodyMs: BODY_MS,
  maxResponseBytes: 16 * 1_024,
  keptHeaders: ['retry-after'],
};

/** What is sent: the parts of a claimed delivery that the receiver sees, and where it goes. */
export type Message = Pick<ClaimedDelivery, 'eventId' | 'body' | 'attempt'> & {
  readonly eventName: string;
  readonly lane: SendingTarget;
};

/** Makes one attempt at a delivery. No transaction is open while it is under way. */
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
   * @throws TooLate when it was not started while what was read is good; Error for a mistake of ours
   *   before anything was answered. Neither must count against the receiver.
   */
  async send(claim: ClaimedDelivery): Promise<Attempt> {
    const startedAt = this.clock.now();
    const leftMs = claim.readAt + GOOD_FOR_MS - performance.now();
    return this.attemptOf(claim, startedAt, await this.post(claim, leftMs));
  }

  /** The receiver takes its connections too late, again: this is all that can be asked of it. */
  unconnected(claim: ClaimedDelivery): Attempt {
    return this.attemptOf(claim, this.clock.now(), unconnected());
  }

  private attemptOf(claim: ClaimedDelivery, startedAt: Date, result: AttemptResult): Attempt {
    return { claim, startedAt, result, retryDelayMs: this.delayAfter(claim.attempt, result) };
  }

  private delayAfter(attempt: number, result: AttemptResult): number | null {
    if (result.isSuccess) return null;
    return retryDelayMs(attempt, this.random.fraction(), result.retryAfterMs);
  }

  /**
   * Signs and posts.
   * @param startWithinMs how long it may take until then; later than that it is not sent
   * @throws TooLate; Error for a mistake of ours before anything was answered
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

  /** What has been answered has been delivered: not counted, it would be sent again without end. */
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

/** What came of a post whose connection came too late, again. */
export function unconnected(): AttemptResult {
  return resultOfFailure(new OutboundFailure('TIMEOUT', { durationMs: DEADLINE_MS }));
}
