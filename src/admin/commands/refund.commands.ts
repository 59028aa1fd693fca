import type { Command } from 'commander';
import { PaymentRecordsModule, Refunds } from '../../payments/index.js';
import { Database } from '../../platform/index.js';
import { Refusal } from '../refusal.js';
import type { CommandContext } from './command-context.js';

export function addRefundCommands(program: Command, { within, print }: CommandContext): void {
  program
    .command('refunds')
    .description('refunds of payments')
    .command('retry')
    .description('retry a failed refund')
    .argument('<refundId>', 'the id that the flag REFUND_FAILED shows (rfd_…)')
    .action(async (id: string) => {
      const isDue = await within(
        (context) => context.get(Database).transaction((tx) => context.get(Refunds).retry(tx, id)),
        [PaymentRecordsModule],
      );
      if (!isDue) throw new Refusal(`There is no failed refund ${id}.`);
      print(`OK: refund ${id} is due; the service requests it within a second.`);
    });
}
