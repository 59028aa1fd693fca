import type { Command } from 'commander';
import { AccessListing } from '../../auth/index.js';
import { DEFAULT_LIMITS } from '../api-key-terms.js';
import { type IssuedKey, KeyAdministration } from '../key-administration.js';
import { Refusal } from '../refusal.js';
import { textTable } from '../text-table.js';
import type { CommandContext } from './command-context.js';
import { readLimit, readWords } from './option-readers.js';

interface IssueOptions {
  partner: string;
  name: string;
  scopes: string[];
  products: string[];
  minute: number;
  day: number;
}

/** `keys issue`, `list`, `suspend`, `resume`, `revoke` and `limit`. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('API keys');
  addIssue(keys, context);
  addList(keys, context);
  addStatusCommands(keys, context);
  addLimit(keys, context);
}

function addIssue(keys: Command, { within, print }: CommandContext): void {
  keys
    .command('issue')
    .description('issue a key; it and its secret are shown this once')
    .requiredOption('--partner <id>', 'whose key it is')
    .requiredOption('--name <name>', "unique among the partner's keys")
    .requiredOption('--scopes <list>', 'scopes, parted by commas', readWords)
    .requiredOption('--products <list>', 'product codes, parted by commas', readWords)
    .option('--minute <count>', 'requests a minute', readLimit, DEFAULT_LIMITS.perMinute)
    .option('--day <count>', 'requests a day', readLimit, DEFAULT_LIMITS.perDay)
    .action(async (options: IssueOptions) => {
      const { partner: partnerId, name, scopes, products, minute, day } = options;
      const limits = { perMinute: minute, perDay: day };
      const issued = await within((context) =>
        context.get(KeyAdministration).issue({ partnerId, name, scopes, products, limits }),
      );
      print(describeIssued(issued));
    });
}

function describeIssued({ id, apiKey, apiSecret }: IssuedKey): string {
  return [
    `Key       ${id}`,
    `API key   ${apiKey}`,
    `Secret    ${apiSecret}`,
    'Keep the secret now: it cannot be shown again.',
  ].join('\n');
}

function addList(keys: Command, { reading, print }: CommandContext): void {
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--partner <id>', 'those of one partner')
    .action(async ({ partner }: { partner?: string }) => {
      const rows = await reading((context) => context.get(AccessListing).keys(partner));
      print(textTable(rows));
    });
}

function addStatusCommands(keys: Command, { within, print }: CommandContext): void {
  const changes = [
    { verb: 'suspend', done: 'is suspended', description: 'refuse a key until it is resumed' },
    { verb: 'resume', done: 'is active', description: 'lift a suspension made by command' },
    { verb: 'revoke', done: 'is revoked', description: 'refuse a key for good' },
  ] as const;
  for (const { verb, done, description } of changes) {
    keys
      .command(verb)
      .description(description)
      .argument('<id>', 'the id that `keys list` shows')
      .action(async (id: string) => {
        await within((context) => context.get(KeyAdministration)[verb](id));
        print(`The key ${id} ${done}.`);
      });
  }
}

function addLimit(keys: Command, { within, print }: CommandContext): void {
  keys
    .command('limit')
    .description('change how much a key may use')
    .argument('<id>', 'the id that `keys list` shows')
    .option('--minute <count>', 'requests a minute', readLimit)
    .option('--day <count>', 'requests a day', readLimit)
    .action(async (id: string, { minute, day }: { minute?: number; day?: number }) => {
      if (minute === undefined && day === undefined) {
        throw new Refusal('Nothing to change: give --minute, --day or both.');
      }
      await within((context) =>
        context.get(KeyAdministration).limit(id, { perMinute: minute, perDay: day }),
      );
      print(`The key ${id} has its new limits.`);
    });
}
