import { Injectable } from '@nestjs/common';
import {
  type DeliveriesFilter,
  DeliveriesService,
  type DeliverySummary,
  type Redelivery,
} from '../webhooks/index.js';
import { Refusal } from './refusal.js';

const MAX_LISTED = 200;

const REFUSALS: Record<Exclude<Redelivery, 'DUE'>, (id: string) => string> = {
  NOT_FOUND: (id) => `There is no delivery ${id}; finished ones are kept for 30 days.`,
  OPEN: (id) => `The delivery ${id} is not finished: it is sent without any help.`,
  SUBSCRIPTION_DELETED: (id) => `The subscription of the delivery ${id} is deleted.`,
  SUBSCRIPTION_INACTIVE: (id) => `The subscription of the delivery ${id} is not active.`,
};

/** A delivery as it is printed: one line, no personal data in it. */
export interface ListedDelivery {
  readonly id: string;
  readonly partner: string;
  readonly subscription: string;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly created: string;
  readonly due: string;
  readonly lastResult: string;
}

/** What an administrator does with webhook deliveries. */
@Injectable()
export class DeliveryAdministration {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** The newest first, as many as fit on a few screens. */
  async list(filter: DeliveriesFilter): Promise<{ rows: ListedDelivery[]; isCut: boolean }> {
    const found = await this.deliveries.list(filter, MAX_LISTED + 1);
    const rows = found.slice(0, MAX_LISTED).map(lineOf);
    return { rows, isCut: found.length > MAX_LISTED };
  }

  /** @throws Refusal when there is no such delivery, or none that could be sent again */
  async redeliver(id: string): Promise<void> {
    const result = await this.deliveries.redeliver(id);
    if (result !== 'DUE') throw new Refusal(REFUSALS[result](id));
  }
}

function lineOf(delivery: DeliverySummary): ListedDelivery {
  const { responseStatus, failure } = delivery;
  return {
    id: delivery.id,
    partner: delivery.partnerId,
    subscription: delivery.subscriptionId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    created: delivery.createdAt.toISOString(),
    due: delivery.nextAttemptAt?.toISOString() ?? '-',
    lastResult: failure ?? (responseStatus === null ? '-' : String(responseStatus)),
  };
}
