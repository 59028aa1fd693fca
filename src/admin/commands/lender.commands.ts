import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import {
  KeyChangeRefused,
  LenderClientModule,
  LenderPing,
  OwnKeyAdministration,
  OwnKeys,
  PROTOCOL,
  type SigningAlgorithm,
} from '../../lender-api/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import { Refusal } from '../refusal.js';
import { type CommandContext, textTable } from './command-context.js';
import type { CommandModule } from '../admin-context.js';

export function addLenderCommands(program: Command, context: CommandContext): void {
  addPing(program.command('lenders').description('lenders outside the process'), context);
  const keys = program
    .command('lender-keys')
    .description('the keys that the service signs with towards lenders');
  addListOfKeys(keys, context);
  addKeyChanges(keys, context);
}

function addPing(lenders: Command, { within, print }: CommandContext): void {
  lenders
    .command('ping')
    .description('ask a lender a signed question that has no effect, and say what comes back')
    .argument('<code>', 'the lender’s code in the configuration')
    .action(async (code: string) => {
      // Not `reading`: the first ping creates the signing key.
      const { lender, result } = await within(
        async (context) => {
          const found = await context.get(LenderCatalogue).find(code);
          if (!found) throw new Refusal(`There is no lender ${code} in the configuration.`);
          if (!found.remote) throw new Refusal(`${code} is not outside the process.`);
          const ping = context.get(LenderPing);
          return { lender: found, result: await ping.ping(found) };
        },
        [LenderClientModule],
      );
      const sentence = `${lender.code} at ${lender.remote?.address}, ${result.durationMs} ms: ${result.says}`;
      if (!result.isUnderstood) throw new Refusal(sentence);
      print(sentence);
    });
}

function addListOfKeys(keys: Command, context: CommandContext): void {
  keys
    .command('list')
    .description('list the keys, and which one signs')
    .action(async () => {
      const rows = await listOwnKeys(context, (within) => within.get(OwnKeyAdministration).list(), [
        LenderClientModule,
      ]);
      const table = rows.map(({ createdAt, ...key }) => ({
        ...key,
        created: createdAt.toISOString(),
      }));
      context.print(textTable(table));
    });
}

function addKeyChanges(keys: Command, { within, print }: CommandContext): void {
  const change = <Result>(work: (keys: OwnKeyAdministration) => Promise<Result>) =>
    within(
      (context) => work(context.get(OwnKeyAdministration)).catch(asRefusal),
      [LenderClientModule],
    );
  keys
    .command('add')
    .description('make another key: it is published now, and signs once the older one is retired')
    .addOption(
      new Option('--algorithm <name>', 'how it signs')
        .choices(PROTOCOL.algorithms)
        .default(PROTOCOL.algorithms[0]),
    )
    .action(async ({ algorithm }: { algorithm: SigningAlgorithm }) => {
      const kid = await change((administration) => administration.add(algorithm));
      print(
        `The key ${kid} is published at ${PROTOCOL.keysPath}. Retire the older one when every lender ` +
          'has taken it up.',
      );
    });
  keys
    .command('retire')
    .description('sign with the other key from now on')
    .argument('<kid>', 'the name that `lender-keys list` shows')
    .option('--force', 'also when lenders may not have read the other key yet: this one is lost')
    .action(async (kid: string, { force = false }: { force?: boolean }) => {
      await change((administration) => administration.retire(kid, { isForced: force }));
      print(`Nothing new is signed with ${kid}; it stays published for a quarter of an hour.`);
    });
}

function asRefusal(error: unknown): never {
  throw error instanceof KeyChangeRefused ? new Refusal(error.message) : error;
}

/** Creates the first key if needed. Otherwise writes nothing, so it works on a standby. */
export async function listOwnKeys<Key>(
  { reading, noting }: CommandContext,
  list: (context: INestApplicationContext) => Promise<readonly Key[]>,
  modules: readonly CommandModule[],
): Promise<readonly Key[]> {
  const keys = await reading(list, modules);
  if (keys.length > 0) return keys;
  return noting(async (context) => {
    await context.get(OwnKeys).signing();
    return list(context);
  }, modules);
}
