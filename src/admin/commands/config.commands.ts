import type { Command } from 'commander';
import { ConfigurationApplier } from '../configuration-applier.js';
import { configurationNotes } from '../configuration/configuration-notes.js';
import { readConfigurationFile } from '../configuration-file.js';
import { OPERATORS_ACCOUNT } from '../payment-account-changes.js';
import { Refusal } from '../refusal.js';
import type { CommandContext } from './command-context.js';
import { readWords } from './option-readers.js';

const FILE_DESCRIPTION = 'the configuration; absent, the one that CONFIG_FILE names';

/** `config check` and `config apply`. */
export function addConfigCommands(
  program: Command,
  { variables, environment, deployment, within, print }: CommandContext,
): void {
  const printNotes = (notes: readonly string[]) =>
    notes.forEach((note) => print(`Is this meant? ${note}.`));
  const config = program.command('config').description('the configuration file');
  config
    .command('check')
    .description('say what is wrong with a file, without a database')
    .argument('[file]', FILE_DESCRIPTION)
    .action((file: string | undefined) => {
      const name = file ?? environment().configFile;
      const configuration = readConfigurationFile(name, deployment(), variables);
      print(`${name}, version ${configuration.version}, is right.`);
      printNotes(configurationNotes(configuration, deployment()));
    });
  config
    .command('apply')
    .description('put a file into force')
    .argument('[file]', FILE_DESCRIPTION)
    .option(
      '--same-account <codes>',
      `lenders (or ${OPERATORS_ACCOUNT}) whose payment account has another key, parted by commas`,
      readWords,
    )
    .action(async (file: string | undefined, options: { sameAccount?: string[] }) => {
      const name = file ?? environment().configFile;
      const result = await within((context) =>
        context.get(ConfigurationApplier).apply(name, deployment(), variables, options.sameAccount),
      );
      if (result.outcome === 'OLDER') {
        throw new Refusal(
          `${name} is version ${result.fileVersion}, but version ${result.versionInForce} is in force: ` +
            'an older version is not applied over a newer one.',
        );
      }
      const what = result.outcome === 'APPLIED' ? 'is in force now' : 'was in force already';
      print(`${name}, version ${result.fileVersion}, ${what}.`);
      printNotes(result.notes);
    });
}
