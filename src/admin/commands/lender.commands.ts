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
  addPing(program.command('lenders').description('remote lenders'), context);
  const keys = program
    .command('lender-keys')
    .description('the keys that sign the service’s calls to lenders');
  addListOfKeys(keys, context);
  addKeyChanges(keys, context);
}

function addPing(lenders: Command, { within, print }: CommandContext): void {
  lenders
    .command('ping')
    .description('send a lender a signed test question without effect, and check the answer')
    .argument('<code>', 'the lender’s code in the configuration')
    .action(async (code: string) => {
      // Not `reading`: the first ping creates the signing key.
      const { lender, result } = await within(
        async (context) => {
          const found = await context.get(LenderCatalogue).find(code);
          if (!found) throw new Refusal(`There is no lender ${code} in the configuration.`);
          if (!found.remote)
            throw new Refusal(`${code} is not a remote lender: there is nothing to ping.`);
          const ping = context.get(LenderPing);
          return { lender: found, result: await ping.ping(found) };
        },
        [LenderClientModule],
      );
      const sentence = `${lender.code} at ${lender.remote?.address}, ${result.durationMs} ms: ${result.says}`;
      if (!result.isUnderstood) throw new Refusal(sentence);
      print(`OK: ${sentence}`);
    });
}

function addListOfKeys(keys: Command, context: CommandContext): void {
  keys
    .command('list')
    .description('list the keys and which one signs')
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
    .description('add a key: published now, it signs once you retire the older key')
    .addOption(
      new Option('--algorithm <name>', 'the signature algorithm')
        .choices(PROTOCOL.algorithms)
        .default(PROTOCOL.algorithms[0]),
    )
    .action(async ({ algorithm }: { algorithm: SigningAlgorithm }) => {
      const kid = await change((administration) => administration.add(algorithm));
      print(
        `OK: key ${kid} is published at ${PROTOCOL.keysPath}. Retire the older key when every lender ` +
          'has read it.',
      );
    });
  keys
    .command('retire')
    .description('stop signing with a key; the other key signs from now on')
    .argument('<kid>', 'the kid that `lender-keys list` shows')
    .option('--force', 'even if lenders may not have read the other key (for a lost key)')
    .action(async (kid: string, { force = false }: { force?: boolean }) => {
      await change((administration) => administration.retire(kid, { isForced: force }));
      print(`OK: key ${kid} no longer signs; it stays published for 15 minutes.`);
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
