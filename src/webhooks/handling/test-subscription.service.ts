import { Injectable } from '@nestjs/common';
import { Clock, Fault, IdGenerator } from '../../platform/index.js';
import { DeliveryAttempt } from '../sending/delivery-attempt.js';
import { SubscriptionsRepository } from '../subscriptions.repository.js';
import { TEST_EVENT } from '../webhook-events.js';
import type { TestResult } from './delivery-views.js';

/**
 * Sends a subscription's address a signed test event while the caller waits, and tells what came of
 * it. Nothing is stored, nothing is tried again, and the subscription's health is left as it is: it
 * is meant for an inactive one, too, before that is enabled.
 */
@Injectable()
export class TestSubscription {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly attempt: DeliveryAttempt,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault subscription_not_found */
  async test(partnerId: string, subscriptionId: string): Promise<TestResult> {
    const lane = await this.subscriptions.findForSending(partnerId, subscriptionId);
    if (!lane) throw new Fault('subscription_not_found');
    const eventId = this.ids.next('evt');
    const result = await this.attempt.send({
      lane,
      eventId,
      eventName: TEST_EVENT,
      body: this.body(eventId, subscriptionId),
      attempt: 1,
    });
    return {
      eventId,
      isDelivered: result.isSuccess,
      durationMs: result.durationMs,
      responseStatus: result.responseStatus,
      responseExcerpt: result.responseExcerpt,
      failure: result.failure,
    };
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
