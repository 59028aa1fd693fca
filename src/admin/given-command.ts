import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type GivenCommand, OPERATOR_SUBJECT } from './store/operator-commands.repository.js';

/** Also of an answer on eligibility, which has a chain of its own. */
const LOAN_ID = /^(jrn|app|elg)_[0-9a-f]{32}$/;

/** Recorded with their values; others may be personal. */
const NOTED = new Set([
  'algorithm',
  'day',
  'force',
  'minute',
  'name',
  'note',
  'partner',
  'personal',
  'products',
  'sameAccount',
  'scopes',
  'uniqueReferences',
]);

/** Ids and codes of the service or the configuration. */
const NOTED_ARGUMENTS = new Set(['code', 'deliveryId', 'id', 'kid', 'refundId']);
/** Written for the record. */
const SENTENCE = 'sentence';

/** An operator may type a name, a mobile number or a PAN instead. */
const ID = /^[a-z]{3}_[0-9a-f]{32}$/;
const CODE = /^[a-z0-9_-]{1,64}$/;
const MOBILE_OR_PAN = /\d{10}|^(?:\d[_-]*){10}|[a-z]{5}\d{4}[a-z]/;

const LONGEST_NAME = 64;

export const OPERATOR: GivenCommand = {
  subjectId: OPERATOR_SUBJECT,
  command: '',
  parameters: {},
  givenBy: '',
};

/**
 * Without secrets and personal data.
 * @param operator default: the system's user
 */
export function commandGiven(command: Command, operator?: string): GivenCommand {
  const options = command.opts<Record<string, unknown>>();
  const loan = [options.journey, options.application].find(isLoanId);
  return {
    subjectId: loan ?? OPERATOR_SUBJECT,
    command: pathOf(command),
    parameters: {
      ...(command.args.length > 0 && { arguments: notedArguments(command) }),
      ...Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, noted(name, value)]),
      ),
    },
    givenBy: operator?.trim().slice(0, LONGEST_NAME) || userName(),
  };
}

function notedArguments({ args, registeredArguments }: Command): string[] {
  return args.map((value, index) => {
    const name = registeredArguments[index]?.name() ?? '';
    const isNoted = name === SENTENCE || (NOTED_ARGUMENTS.has(name) && isIdOrCode(value));
    return isNoted ? value : '(given)';
  });
}

function isIdOrCode(value: string): boolean {
  return ID.test(value) || (CODE.test(value) && !MOBILE_OR_PAN.test(value));
}

function noted(name: string, value: unknown): unknown {
  if (name === 'partner' && !isIdOrCode(String(value))) return '(given)';
  return NOTED.has(name) || isLoanId(value) ? value : '(given)';
}

function isLoanId(value: unknown): value is string {
  return typeof value === 'string' && LOAN_ID.test(value);
}

function pathOf(command: Command): string {
  const { parent } = command;
  const isTop = !parent?.parent;
  return isTop ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? '?'}`;
  }
}
