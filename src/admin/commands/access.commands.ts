import type { Type } from '@nestjs/common';
import type { Command } from 'commander';
import { AccessListing } from '../../auth/index.js';
import { DEFAULT_LIMITS } from '../new-api-key.js';
import { type IssuedKey, KeyAdministration, PartnerAdministration } from '../key-administration.js';
import { Refusal } from '../refusal.js';
import { type CommandContext, textTable } from './command-context.js';
import { readLimit, readWords } from './option-readers.js';

interface IssueOptions {
  partner: string;
  name: string;
  scopes: string[];
  products: string[];
  minute: number;
  day: number;
}

export function addAccessCommands(program: Command, context: CommandContext): void {
  const { reading, print } = context;
  const keys = program.command('keys').description('API keys');
  addIssue(keys, context);
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--partner <id>', 'those of one partner')
    .action(async ({ partner }: { partner?: string }) => {
      print(textTable(await reading((within) => within.get(AccessListing).keys(partner))));
    });
  addStatusCommands(keys, context, 'key', KeyAdministration, {
    suspend: 'refuse a key until it is resumed',
    resume: 'lift a suspension made by command',
    revoke: 'refuse a key for good',
  });
  addLimit(keys, context);
  const partners = program.command('partners').description('partners; the file brings them in');
  partners
    .command('list')
    .description('list the partners')
    .action(async () => {
      print(textTable(await reading((within) => within.get(AccessListing).partners())));
    });
  addStatusCommands(partners, context, 'partner', PartnerAdministration, {
    suspend: 'refuse all keys of a partner',
    resume: 'lift a suspension made by command',
  });
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

const DONE = { suspend: 'is suspended', resume: 'is active', revoke: 'is revoked' };

type Verb = keyof typeof DONE;

function addStatusCommands<Verbs extends Verb>(
  parent: Command,
  { within, print }: CommandContext,
  what: 'key' | 'partner',
  administration: Type<Record<Verbs, (id: string) => Promise<void>>>,
  descriptions: Record<Verbs, string>,
): void {
  for (const verb of Object.keys(descriptions) as Verbs[]) {
    parent
      .command(verb)
      .description(descriptions[verb])
      .argument('<id>', `the id that \`${what}s list\` shows`)
      .action(async (id: string) => {
        await within((context) => context.get(administration)[verb](id));
        print(`The ${what} ${id} ${DONE[verb]}.`);
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
