import type { Command } from 'commander';
import { AccessListing } from '../../auth/index.js';
import { PartnerAdministration } from '../partner-administration.js';
import { textTable } from '../text-table.js';
import type { CommandContext } from './command-context.js';

/** `partners list`, `suspend` and `resume`. */
export function addPartnerCommands(
  program: Command,
  { within, reading, print }: CommandContext,
): void {
  const partners = program.command('partners').description('partners; the file brings them in');
  partners
    .command('list')
    .description('list the partners')
    .action(async () => {
      const rows = await reading((context) => context.get(AccessListing).partners());
      print(textTable(rows));
    });
  const changes = [
    { verb: 'suspend', done: 'is suspended', description: 'refuse all keys of a partner' },
    { verb: 'resume', done: 'is active', description: 'lift a suspension made by command' },
  ] as const;
  for (const { verb, done, description } of changes) {
    partners
      .command(verb)
      .description(description)
      .argument('<id>', 'the id that `partners list` shows')
      .action(async (id: string) => {
        await within((context) => context.get(PartnerAdministration)[verb](id));
        print(`The partner ${id} ${done}.`);
      });
  }
}
