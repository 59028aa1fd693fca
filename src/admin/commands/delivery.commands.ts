import type { Command } from 'commander';
import type { DeliveryStatus } from '../../webhooks/index.js';
import { DeliveryAdministration } from '../delivery-administration.js';
import { textTable } from '../text-table.js';
import type { CommandContext } from './command-context.js';
import { readDeliveryStatus, readInstant } from './option-readers.js';

interface ListOptions {
  partner?: string;
  subscription?: string;
  status?: DeliveryStatus;
  since?: Date;
}

/** `deliveries list` and `redeliver`. */
export function addDeliveryCommands(program: Command, context: CommandContext): void {
  const deliveries = program.command('deliveries').description('webhook deliveries');
  addList(deliveries, context);
  addRedeliver(deliveries, context);
}

function addList(deliveries: Command, { reading, print }: CommandContext): void {
  deliveries
    .command('list')
    .description('list deliveries, the newest first')
    .option('--partner <id>', 'those of one partner')
    .option('--subscription <id>', 'those of one subscription')
    .option('--status <status>', 'those of one status, such as exhausted', readDeliveryStatus)
    .option('--since <time>', 'those from then on (ISO 8601)', readInstant)
    .action(async ({ partner, subscription, status, since }: ListOptions) => {
      const filter = { partnerId: partner, subscriptionId: subscription, status, since };
      const { rows, isCut } = await reading((context) =>
        context.get(DeliveryAdministration).list(filter),
      );
      print(textTable(rows));
      if (isCut) print(`There are more than these ${rows.length}: narrow the list.`);
    });
}

function addRedeliver(deliveries: Command, { within, print }: CommandContext): void {
  deliveries
    .command('redeliver')
    .description('send a finished delivery once more')
    .argument('<deliveryId>', 'the id that `deliveries list` shows')
    .action(async (id: string) => {
      await within((context) => context.get(DeliveryAdministration).redeliver(id));
      print(`The delivery ${id} is due; the service sends it within a second.`);
    });
}
