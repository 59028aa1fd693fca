import type { Command } from 'commander';
import {
  type Durability,
  DurabilityError,
  judgeDurability,
  lookAtDatabase,
} from '../../platform/index.js';
import type { CommandContext } from './command-context.js';

export function addDatabaseCommands(
  program: Command,
  { environment, print }: CommandContext,
): void {
  program
    .command('database')
    .description('the database')
    .command('check')
    .description('say whether the database can lose what was answered; its schema is left alone')
    .action(async () => {
      const settings = environment();
      const seen = await lookAtDatabase(settings);
      const { losses, notes } = judgeDurability(seen);
      for (const line of linesOf(seen)) print(line);
      for (const note of notes) print(`${note}.`);
      if (losses.length === 0) print('What was answered is kept.');
      else if (!settings.databaseLossAccepted) throw new DurabilityError(losses);
      else for (const loss of losses) print(`Accepted by DATABASE_LOSS_ACCEPTED: ${loss}`);
    });
}

function linesOf(seen: Durability): string[] {
  const { standbyNames, followers, seesFollowers } = seen;
  const shown = followers.map(({ name, syncState }) => `${name} (${syncState ?? 'state hidden'})`);
  return [
    `synchronous_commit = ${seen.synchronousCommit}, fsync = ${seen.fsync}, full_page_writes = ${seen.fullPageWrites}`,
    `synchronous_standby_names = ${standbyNames || '(empty)'}`,
    `followers: ${shown.join(', ') || 'none'}`,
    ...(followers.length > 0 && !seesFollowers
      ? [
          `Which of them wait for what, members of pg_monitor see: GRANT pg_monitor TO ${seen.role};`,
        ]
      : []),
  ];
}
