import type { Command } from 'commander';
import {
  DeliveriesService,
  type DeliveryStatus,
  type DeliverySummary,
  type Redelivery,
} from '../../webhooks/index.js';
import { Refusal } from '../refusal.js';
import { type CommandContext, textTable } from './command-context.js';
import { readDeliveryStatus, readInstant } from './option-readers.js';

const MAX_LISTED = 200;

const REFUSALS: Record<Exclude<Redelivery, 'DUE'>, (id: string) => string> = {
  NOT_FOUND: (id) => `There is no delivery ${id}. Finished deliveries are kept for 30 days.`,
  OPEN: (id) => `Delivery ${id} is still in progress; the service sends it automatically.`,
  SUBSCRIPTION_DELETED: (id) => `The subscription of delivery ${id} is deleted.`,
  SUBSCRIPTION_INACTIVE: (id) => `The subscription of delivery ${id} is inactive: enable it first.`,
};

interface ListOptions {
  partner?: string;
  subscription?: string;
  status?: DeliveryStatus;
  since?: Date;
}

export function addDeliveryCommands(
  program: Command,
  { reading, within, print }: CommandContext,
): void {
  const deliveries = program.command('deliveries').description('webhook deliveries');
  deliveries
    .command('list')
    .description('list deliveries, newest first')
    .option('--partner <id>', 'only deliveries of this partner')
    .option('--subscription <id>', 'only deliveries of this subscription')
    .option(
      '--status <status>',
      'only deliveries of this status, such as exhausted',
      readDeliveryStatus,
    )
    .option('--since <time>', 'only deliveries from this time on (ISO 8601)', readInstant)
    .action(async ({ partner, subscription, status, since }: ListOptions) => {
      const filter = { partnerId: partner, subscriptionId: subscription, status, since };
      const found = await reading((context) =>
        context.get(DeliveriesService).list(filter, MAX_LISTED + 1),
      );
      print(textTable(found.slice(0, MAX_LISTED).map(lineOf)));
      if (found.length > MAX_LISTED) {
        print(`There are more than these ${MAX_LISTED}: narrow the filters.`);
      }
    });
  deliveries
    .command('redeliver')
    .description('send a finished delivery again')
    .argument('<deliveryId>', 'the id that `deliveries list` shows')
    .action(async (id: string) => {
      const result = await within((context) => context.get(DeliveriesService).redeliver(id));
      if (result !== 'DUE') throw new Refusal(REFUSALS[result](id));
      print(`OK: delivery ${id} is due; the service sends it within a second.`);
    });
}

function lineOf(delivery: DeliverySummary) {
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
