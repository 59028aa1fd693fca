import type { Type } from '@nestjs/common';
import type { Command } from 'commander';
import { AccessListing } from '../../auth/index.js';
import { DEFAULT_LIMITS } from '../new-api-key.js';
import { type IssuedKey, KeyAdministration, PartnerAdministration } from '../key-administration.js';
import { Refusal } from '../refusal.js';
import { type CommandContext, textTable } from './command-context.js';
import { readKeyName, readLimit, readWords } from './option-readers.js';

interface IssueOptions {
  partner: string;
  name: string;
  scopes: string[];
  products: string[];
  minute: number;
  day: number;
  uniqueReferences: boolean;
}

export function addAccessCommands(program: Command, context: CommandContext): void {
  const { reading, print } = context;
  const keys = program.command('keys').description('API keys');
  addIssue(keys, context);
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--partner <id>', 'only keys of this partner')
    .action(async ({ partner }: { partner?: string }) => {
      print(textTable(await reading((within) => within.get(AccessListing).keys(partner))));
    });
  addStatusCommands(keys, context, 'key', KeyAdministration, {
    suspend: 'refuse calls with a key until you resume it',
    resume: 'lift a suspension that a command made',
    revoke: 'refuse calls with a key permanently',
  });
  addLimit(keys, context);
  const partners = program
    .command('partners')
    .description('partners, as the configuration file adds them');
  partners
    .command('list')
    .description('list the partners')
    .action(async () => {
      print(textTable(await reading((within) => within.get(AccessListing).partners())));
    });
  addStatusCommands(partners, context, 'partner', PartnerAdministration, {
    suspend: 'refuse calls with any key of a partner until you resume it',
    resume: 'lift a suspension that a command made',
  });
}

function addIssue(keys: Command, { within, print }: CommandContext): void {
  keys
    .command('issue')
    .description('issue a key; the key and its secret are displayed only now')
    .requiredOption('--partner <id>', 'the partner that gets the key')
    .requiredOption('--name <name>', "unique among the partner's keys", readKeyName)
    .requiredOption('--scopes <list>', 'scopes, separated by commas', readWords)
    .requiredOption('--products <list>', 'product codes, separated by commas', readWords)
    .option('--minute <count>', 'requests a minute', readLimit, DEFAULT_LIMITS.perMinute)
    .option('--day <count>', 'requests a day', readLimit, DEFAULT_LIMITS.perDay)
    .option('--unique-references', 'refuse a second loan with the same clientReferenceId', false)
    .action(async (options: IssueOptions) => {
      const { partner: partnerId, name, scopes, products, minute, day } = options;
      const { uniqueReferences: uniqueClientReferences } = options;
      const order = { partnerId, name, scopes, products, uniqueClientReferences };
      const limits = { perMinute: minute, perDay: day };
      const issued = await within((context) =>
        context.get(KeyAdministration).issue({ ...order, limits }),
      );
      print(describeIssued(issued));
    });
}

function describeIssued({ id, apiKey, apiSecret }: IssuedKey): string {
  return [
    `Key       ${id}`,
    `API key   ${apiKey}`,
    `Secret    ${apiSecret}`,
    'Store the secret now: it cannot be displayed again.',
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
        print(`OK: ${what} ${id} ${DONE[verb]}.`);
      });
  }
}

function addLimit(keys: Command, { within, print }: CommandContext): void {
  keys
    .command('limit')
    .description('change the limits of a key')
    .argument('<id>', 'the id that `keys list` shows')
    .option('--minute <count>', 'requests a minute', readLimit)
    .option('--day <count>', 'requests a day', readLimit)
    .action(async (id: string, { minute, day }: { minute?: number; day?: number }) => {
      if (minute === undefined && day === undefined) {
        throw new Refusal('Nothing to change: give --minute, --day, or both.');
      }
      await within((context) =>
        context.get(KeyAdministration).limit(id, { perMinute: minute, perDay: day }),
      );
      print(`OK: key ${id} has the new limits.`);
    });
}
