import type { Command } from 'commander';
import {
  FLAG_CATALOGUE,
  type FlagKind,
  NO_PARTNER,
  type OperatorFlag,
  OperatorFlags,
} from '../../operator-flags/index.js';
import { Database } from '../../platform/index.js';
import { Refusal } from '../refusal.js';
import { type CommandContext, textTable } from './command-context.js';
import { readFlagId, readFlagKind, readNote } from './option-readers.js';

const MAX_LISTED = 200;

interface ListOptions {
  kind?: FlagKind;
  subject?: string;
  partner?: string;
  all?: true;
}

export function addFlagCommands(program: Command, context: CommandContext): void {
  const flags = program.command('flags').description('problems that an operator must act on');
  addList(flags, context);
  addShow(flags, context);
  addResolve(flags, context);
}

function addList(flags: Command, { reading, print }: CommandContext): void {
  flags
    .command('list')
    .description('list the open flags, last seen first')
    .option('--kind <kind>', 'only flags of this kind, such as PAYOUT_PENDING', readFlagKind)
    .option('--subject <id>', 'only flags of this journey, application or lender')
    .option('--partner <id>', 'only flags of this partner')
    .option('--all', 'include resolved flags')
    .action(async ({ kind, subject, partner, all }: ListOptions) => {
      const search = {
        isOpen: all !== true,
        ...(kind !== undefined && { kind }),
        ...(subject !== undefined && { subjectId: subject }),
        ...(partner !== undefined && { partnerId: partner }),
      };
      const found = await reading((context) =>
        context
          .get(Database)
          .transaction((tx) => context.get(OperatorFlags).search(tx, search, MAX_LISTED + 1)),
      );
      const shown = found.slice(0, MAX_LISTED);
      print(textTable(shown.map((flag) => ({ ...lineOf(flag), ...(all && stateOf(flag)) }))));
      if (found.length > MAX_LISTED) {
        print(`There are more than these ${MAX_LISTED}: use --kind, --subject or --partner.`);
      }
    });
}

function addShow(flags: Command, { reading, print }: CommandContext): void {
  flags
    .command('show')
    .description('show a flag, and what to do')
    .argument('<id>', 'the id that `flags list` shows', readFlagId)
    .action(async (id: number) => {
      const flag = await reading((context) =>
        context.get(Database).transaction((tx) => context.get(OperatorFlags).find(tx, id)),
      );
      if (!flag) throw new Refusal(`There is no flag ${id}.`);
      print(textOf(flag));
    });
}

function addResolve(flags: Command, { within, givenBy, print }: CommandContext): void {
  flags
    .command('resolve')
    .description('resolve a flag; if the problem recurs, a new flag is raised')
    .argument('<id>', 'the id that `flags list` shows', readFlagId)
    .requiredOption('--note <text>', 'what you did; no personal data', readNote)
    .action(async (id: number, { note }: { note: string }) => {
      const isResolved = await within((context) =>
        context
          .get(Database)
          .transaction((tx) =>
            context.get(OperatorFlags).resolveByHand(tx, id, { note, resolvedBy: givenBy() }),
          ),
      );
      if (!isResolved) throw new Refusal(`There is no open flag ${id}.`);
      print(`OK: flag ${id} is resolved.`);
    });
}

function lineOf(flag: OperatorFlag) {
  const { id, kind, subjectId, partnerId, count, createdAt, lastSeenAt } = flag;
  return {
    id,
    kind,
    subject: subjectId,
    partner: partnerId,
    count,
    first: createdAt.toISOString(),
    last: lastSeenAt.toISOString(),
  };
}

function stateOf({ resolvedAt }: OperatorFlag) {
  return { resolved: resolvedAt?.toISOString() ?? '-' };
}

function textOf(flag: OperatorFlag): string {
  const { id, kind, subjectId, partnerId, count, cause, detail, createdAt, lastSeenAt } = flag;
  const { meaning, action } = FLAG_CATALOGUE[kind];
  const facts = Object.entries(detail).map(([fact, value]) => ({
    fact,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value),
  }));
  return [
    `Flag ${id}: ${kind}, ${stateText(flag)}`,
    `Meaning: ${meaning}`,
    `What to do: ${action}`,
    `Subject: ${subjectId}${partnerId === NO_PARTNER ? '' : ` of partner ${partnerId}`}`,
    `Cause: ${cause || '-'}`,
    `Count: ${count}, first ${createdAt.toISOString()}, last ${lastSeenAt.toISOString()}`,
    '',
    textTable(facts),
  ].join('\n');
}

function stateText({ resolvedAt, resolvedBy, note }: OperatorFlag): string {
  if (!resolvedAt) return 'open';
  const by = resolvedBy === null ? '' : ` by ${resolvedBy}: ${note}`;
  return `resolved ${resolvedAt.toISOString()}${by}`;
}
