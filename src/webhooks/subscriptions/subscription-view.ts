import {
  DescribedField,
  ShownCount,
  ShownFlag,
  ShownId,
  ShownList,
  ShownText,
  ShownTime,
  ShownUrl,
} from '../../platform/index.js';
import { EVENT_NAMES, WEBHOOK_EVENTS } from '../domain/webhook-events.js';
import type { Subscription } from '../store/subscriptions.repository.js';

const ShownSecret = ShownText(
  'The signing secret, displayed once.',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3bK4uXk0pQg=',
);

/** Never contains the secret. */
export class SubscriptionView {
  @ShownId('sub', 'The subscription.')
  subscriptionId: string;

  @ShownUrl('The URL that receives the events.', 'https://partner.example/hooks/loans')
  url: string;

  @DescribedField(
    { type: 'array', items: { type: 'string', enum: [...EVENT_NAMES] } },
    { about: 'All names, even if the subscription takes every event of journeys.' },
  )
  subscribedEvents: string[];

  @ShownFlag('Whether events are sent. An inactive subscription keeps its events for 30 days.')
  isActive: boolean;

  @ShownCount('Consecutive failed attempts.', 0)
  failureCount: number;

  @ShownTime('The last successful attempt; null before the first.', { nullable: true })
  lastDeliveryAt: string | null;
}

export class SubscriptionList {
  @ShownList(() => SubscriptionView, 'The partner’s subscriptions.')
  subscriptions: SubscriptionView[];
}

export class RegisteredSubscription {
  @ShownId('sub', 'The subscription.')
  subscriptionId: string;

  @ShownSecret
  secret: string;

  @ShownText(
    'Only if another subscription of the partner has the same `url`.',
    `sub_01a1fcf153ae76b2be3e2ab68ffc4d07 has the same url. An event of both is sent twice; x-rinpath-subscription-id names the subscription.`,
    { optional: true },
  )
  warning?: string;
}

export class RotatedSecret {
  @ShownSecret
  secret: string;
}

export class DeletedSubscription {
  @DescribedField({ type: 'boolean', enum: [true] }, { about: 'Always true.' })
  deleted: true;
}

export function subscriptionView(subscription: Subscription): SubscriptionView {
  return {
    subscriptionId: subscription.id,
    url: subscription.url,
    subscribedEvents: [...(subscription.events ?? WEBHOOK_EVENTS)],
    isActive: subscription.isActive,
    failureCount: subscription.failureCount,
    lastDeliveryAt: subscription.lastDeliveryAt?.toISOString() ?? null,
  };
}
