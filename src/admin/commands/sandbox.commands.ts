import type { Command } from 'commander';
import { Database } from '../../platform/index.js';
import { Refusal } from '../refusal.js';
import { resetSandbox } from '../sandbox-reset.js';
import type { CommandContext } from './command-context.js';

export function addSandboxCommands(
  program: Command,
  { environment, within, keptByReset, print, wait }: CommandContext,
): void {
  program
    .command('sandbox')
    .description('the sandbox')
    .command('reset')
    .description(
      'delete the loans, events, deliveries, messages, audit and logs of all partners, and return to the real time',
    )
    .option('--yes', 'confirm')
    .action(async ({ yes }: { yes?: boolean }) => {
      if (environment().mode !== 'sandbox') {
        throw new Refusal('MODE is not sandbox: only a sandbox can be reset.');
      }
      if (!yes) {
        throw new Refusal(
          'This deletes the loans, events, deliveries, messages, audit and logs of all partners. It keeps ' +
            'keys, configuration, webhooks and operator commands. To confirm, give --yes.',
        );
      }
      await within((context) => resetSandbox(context.get(Database), keptByReset, wait));
      print(
        'OK: the sandbox is empty and has the real time. Keys, configuration and webhooks are kept.',
      );
    });
}
