import { Injectable, Logger } from '@nestjs/common';
import { attempt, Clock, Database, Fault, IdGenerator, TooLate } from '../../platform/index.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveryAttempt, GOOD_FOR_MS, unconnected } from '../sender/delivery-attempt.js';
import type { AttemptResult } from '../store/attempts.repository.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import { TEST_EVENT } from '../domain/webhook-events.js';
import type { TestResult } from '../deliveries/delivery-views.js';

/**
 * Sends a subscription's address a signed test event while the caller waits, and tells what came of
 * it. Nothing is stored, nothing is tried again, and a failure counts for nothing. A success closes the
 * breaker; an inactive subscription, for which it is meant too, stays so until it is enabled.
 */
@Injectable()
export class TestSubscription {
  private readonly logger = new Logger(TestSubscription.name);

  constructor(
    private readonly database: Database,
    private readonly wakeUp: SenderWakeUp,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly attempts: DeliveryAttempt,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault subscription_not_found, service_unavailable */
  async test(partnerId: string, subscriptionId: string): Promise<TestResult> {
    const eventId = this.ids.next('evt');
    const result = await this.send(partnerId, subscriptionId, eventId);
    if (result.isSuccess) await this.closeBreaker(partnerId, subscriptionId);
    return {
      eventId,
      isDelivered: result.isSuccess,
      durationMs: result.durationMs,
      responseStatus: result.responseStatus,
      responseExcerpt: result.responseExcerpt,
      failure: result.failure,
    };
  }

  /**
   * When its connection took too long, it is asked once more whether there is a subscription; the
   * connection is kept for that.
   */
  private async send(
    partnerId: string,
    subscriptionId: string,
    eventId: string,
  ): Promise<AttemptResult> {
    for (let isAgain = false; ; isAgain = true) {
      const readAt = performance.now();
      const lane = await this.subscriptions.findForTest(partnerId, subscriptionId);
      if (!lane) throw new Fault('subscription_not_found');
      const body = this.body(eventId, subscriptionId);
      const message = { lane, eventId, eventName: TEST_EVENT, body, attempt: 1 };
      try {
        return await this.attempts.post(message, readAt + GOOD_FOR_MS - performance.now());
      } catch (error) {
        if (!(error instanceof TooLate)) throw error;
        if (isAgain && error.hasConnected) return unconnected();
        if (isAgain) throw new Fault('service_unavailable', { retryAfterSeconds: 1, cause: error });
      }
    }
  }

  /** What came of the test is answered all the same when this fails: the next probe closes it. */
  private closeBreaker(partnerId: string, subscriptionId: string): Promise<void> {
    return attempt(this.logger, async () => {
      const wasOpen = await this.database.transaction((tx) =>
        this.subscriptions.closeBreaker(tx, partnerId, subscriptionId),
      );
      if (!wasOpen) return;
      this.wakeUp.raise();
      await this.subscriptions.makeRetriesDue(subscriptionId);
      this.wakeUp.raise();
    });
  }

  /** It tells of no journey, so it has none of a journey's fields. */
  private body(id: string, subscriptionId: string): string {
    return JSON.stringify({
      id,
      event: TEST_EVENT,
      createdAt: this.clock.now().toISOString(),
      apiVersion: 'v1',
      subscriptionId,
      data: {},
    });
  }
}
