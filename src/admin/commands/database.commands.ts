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
    .description('check whether the database can lose committed data; does not change its schema')
    .action(async () => {
      const settings = environment();
      const seen = await lookAtDatabase(settings);
      const { losses, notes } = judgeDurability(seen);
      for (const line of linesOf(seen)) print(line);
      for (const note of notes) print(`Warning: ${note}.`);
      if (losses.length === 0) print('OK: no database setting loses committed data.');
      else if (!settings.databaseLossAccepted) throw new DurabilityError(losses);
      else for (const loss of losses) print(`Warning: accepted by DATABASE_LOSS_ACCEPTED: ${loss}`);
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
      ? [`To see the state of the followers, run: GRANT pg_monitor TO ${seen.role};`]
      : []),
  ];
}
