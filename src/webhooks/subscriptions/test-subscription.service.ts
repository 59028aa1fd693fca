import { Injectable, Logger } from '@nestjs/common';
import { attempt, Clock, Database, Fault, IdGenerator, TooLate } from '../../platform/index.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveryAttempt, READ_VALID_MS, connectionTimeout } from '../sender/delivery-attempt.js';
import type { AttemptResult } from '../store/attempts.repository.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import { TEST_EVENT } from '../domain/webhook-events.js';
import type { TestResult } from '../deliveries/delivery-views.js';

/**
 * Nothing is stored or retried, and a failure does not count. A success closes the breaker; an
 * inactive subscription stays inactive.
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

  /** If connecting took too long, checks the subscription again and reuses the connection. */
  private async send(
    partnerId: string,
    subscriptionId: string,
    eventId: string,
  ): Promise<AttemptResult> {
    for (let isRetry = false; ; isRetry = true) {
      const readAt = performance.now();
      const lane = await this.subscriptions.findForTest(partnerId, subscriptionId);
      if (!lane) throw new Fault('subscription_not_found');
      const body = this.body(eventId, subscriptionId);
      const message = { lane, eventId, eventName: TEST_EVENT, body, attempt: 1 };
      try {
        return await this.attempts.post(message, readAt + READ_VALID_MS - performance.now());
      } catch (error) {
        if (!(error instanceof TooLate)) throw error;
        if (isRetry && error.hasConnected) return connectionTimeout();
        if (isRetry) throw new Fault('service_unavailable', { retryAfterSeconds: 1, cause: error });
      }
    }
  }

  /** A failure here does not fail the test: the next probe closes the breaker. */
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

  /** Has no journey fields. */
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
