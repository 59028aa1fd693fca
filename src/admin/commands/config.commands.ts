import type { Command } from 'commander';
import { ConfigurationApplier } from '../configuration-applier.js';
import { configurationNotes } from '../configuration/configuration-notes.js';
import { readConfigurationFile } from '../configuration-file.js';
import { OPERATORS_ACCOUNT } from '../payment-account-changes.js';
import { Refusal } from '../refusal.js';
import type { CommandContext } from './command-context.js';
import { readWords } from './option-readers.js';

const FILE_DESCRIPTION = 'the configuration file (default: CONFIG_FILE)';

const RESULTS = {
  apply: {
    APPLIED: (file: string) => `OK: ${file} is now in force.`,
    UNCHANGED: (file: string) => `OK: ${file} was already in force.`,
  },
  diff: {
    APPLIED: (file: string) => `OK: applying ${file} would change:`,
    UNCHANGED: (file: string) => `OK: applying ${file} would change nothing.`,
  },
};

export function addConfigCommands(program: Command, context: CommandContext): void {
  const { variables, environment, deployment, print } = context;
  const printNotes = (notes: readonly string[]) =>
    notes.forEach((note) => print(`Warning: ${note}.`));
  const config = program.command('config').description('the configuration file');
  config
    .command('check')
    .description('validate a file, without a database')
    .argument('[file]', FILE_DESCRIPTION)
    .action((file: string | undefined) => {
      const name = file ?? environment().configFile;
      const configuration = readConfigurationFile(name, deployment(), variables);
      print(`OK: ${name} (version ${configuration.version}) is valid.`);
      printNotes(configurationNotes(configuration, deployment()));
    });
  addChangingCommands(config, context, printNotes);
}

function addChangingCommands(
  config: Command,
  { variables, environment, deployment, within, reading, print }: CommandContext,
  printNotes: (notes: readonly string[]) => void,
): void {
  const changing = [
    { verb: 'apply', method: 'apply', run: within, description: 'apply a file' },
    {
      verb: 'diff',
      method: 'preview',
      run: reading,
      description: 'show what apply would change, without changing it',
    },
  ] as const;
  for (const { verb, method, run, description } of changing) {
    config
      .command(verb)
      .description(description)
      .argument('[file]', FILE_DESCRIPTION)
      .option(
        '--same-account <codes>',
        `lenders (or ${OPERATORS_ACCOUNT}) whose payment account has only a new key, separated by commas`,
        readWords,
      )
      .action(async (file: string | undefined, options: { sameAccount?: string[] }) => {
        const name = file ?? environment().configFile;
        const result = await run((context) => {
          const applier = context.get(ConfigurationApplier);
          return applier[method](name, deployment(), variables, options.sameAccount);
        });
        if (result.outcome === 'OLDER') {
          throw new Refusal(
            `${name} is version ${result.fileVersion}, but version ${result.versionInForce} is in force. ` +
              'Raise version to apply it.',
          );
        }
        print(RESULTS[verb][result.outcome](`${name} (version ${result.fileVersion})`));
        for (const change of result.changes) print(`- ${change}`);
        printNotes(result.notes);
      });
  }
}
