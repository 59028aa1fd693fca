import { Injectable } from '@nestjs/common';
import {
  BrandBook,
  Clock,
  Metrics,
  OutboundClient,
  OutboundFailure,
  RandomSource,
} from '../platform/index.js';
import { AttemptRecords } from './attempt-records.repository.js';
import { type AttemptResult, resultOfAnswer, resultOfFailure } from './attempt-result.js';
import {
  type DeliveryClaim,
  DeliveryClaims,
  type DeliveryToSend,
} from './delivery-claims.repository.js';
import { deliveryHeaders } from './delivery-headers.js';
import { retryDelayMs } from './retry-schedule.js';
import { SubscriptionSecrets } from './subscription-secrets.js';

/** What the contract gives a receiver to answer. */
const DEADLINE_MS = 5_000;
const MOST_RESPONSE_BYTES = 16 * 1_024;

/**
 * Makes one attempt at a claimed delivery: reads what to send, sends it, records what came of it.
 * No transaction is open while it is under way. Killed at any line, it leaves a lease behind that
 * runs out, and the delivery is claimed again: the receiver may get an event twice, never not at all.
 */
@Injectable()
export class DeliveryAttempt {
  constructor(
    private readonly claims: DeliveryClaims,
    private readonly records: AttemptRecords,
    private readonly outbound: OutboundClient,
    private readonly secrets: SubscriptionSecrets,
    private readonly brandBook: BrandBook,
    private readonly clock: Clock,
    private readonly random: RandomSource,
    private readonly metrics: Metrics,
  ) {}

  async make(claim: DeliveryClaim): Promise<void> {
    const { slug } = await this.brandBook.brand();
    const delivery = await this.claims.read(claim, DEADLINE_MS);
    if (!delivery) return;
    const startedAt = this.clock.now();
    const result = await this.send(delivery, slug);
    const delay = retryDelayMs(delivery.attempt, this.random.fraction(), result.retryAfterMs);
    const isRecorded = await this.records.record({
      delivery,
      startedAt,
      result,
      retryDelayMs: delay,
    });
    this.metrics.webhookAttempts.inc({ outcome: isRecorded ? outcomeOf(result) : 'void' });
  }

  private async send(delivery: DeliveryToSend, slug: string): Promise<AttemptResult> {
    try {
      const answer = await this.outbound.post(delivery.url, {
        headers: this.headers(delivery, slug),
        body: delivery.body,
        deadlineMs: DEADLINE_MS,
        maxResponseBytes: MOST_RESPONSE_BYTES,
      });
      return resultOfAnswer(answer, this.clock.now());
    } catch (error) {
      // Anything else is a mistake of ours, which must not count against the receiver.
      if (error instanceof OutboundFailure) return resultOfFailure(error);
      throw error;
    }
  }

  private headers(delivery: DeliveryToSend, slug: string): Record<string, string> {
    const { secretSealed, previousSecretSealed } = delivery;
    return deliveryHeaders({
      slug,
      eventId: delivery.eventId,
      eventName: delivery.eventName,
      body: delivery.body,
      attempt: delivery.attempt,
      timestamp: this.clock.epochSeconds(),
      secret: this.secrets.open(secretSealed),
      previousSecret:
        previousSecretSealed === null ? null : this.secrets.open(previousSecretSealed),
    });
  }
}

function outcomeOf({ isSuccess, failure }: AttemptResult): string {
  if (isSuccess) return 'succeeded';
  return failure === null ? 'refused' : failure.toLowerCase();
}
