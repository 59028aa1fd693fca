import type { Type } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import {
  Database,
  databaseProblem,
  DurabilityError,
  EnvironmentError,
  isConnectionLost,
  MasterKeyError,
  messageOf,
  type Mode,
  OtherSchemaError,
  parseEnvironment,
  type Schema,
} from '../platform/index.js';
import { withAdminContext } from './admin-context.js';
import { addAccessCommands } from './commands/access.commands.js';
import { addApplicantCommands } from './commands/applicant.commands.js';
import { addAuditCommands } from './commands/audit.commands.js';
import { addConfigCommands } from './commands/config.commands.js';
import { addDatabaseCommands } from './commands/database.commands.js';
import { addDeliveryCommands } from './commands/delivery.commands.js';
import { auditSubject, type AuditTrail, type CommandContext } from './commands/command-context.js';
import { addFlagCommands } from './commands/flag.commands.js';
import { addJourneyCommands } from './commands/journey.commands.js';
import { addLenderCommands } from './commands/lender.commands.js';
import { addRefundCommands } from './commands/refund.commands.js';
import { addSandboxCommands } from './commands/sandbox.commands.js';
import { commandGiven, OPERATOR } from './given-command.js';
import { type GivenCommand, recordCommand } from './store/operator-commands.repository.js';
import { Refusal } from './refusal.js';

/** Tests replace these. */
export interface CommandSurroundings {
  readonly variables: Record<string, string | undefined>;
  readonly schema: Schema;
  readonly lenderAdapters: (mode: Mode) => readonly string[];
  readonly personalDataHolders: (mode: Mode) => readonly Type[];
  readonly auditTrail: AuditTrail;
  readonly print: (text: string) => void;
  /** Receives everything but the result. */
  readonly complain: (text: string) => void;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/** @returns exit code: 0 done, 1 refused or failed, 2 wrong usage */
export async function runCommandLine(
  parameters: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  try {
    await programFor(surroundings).parseAsync([...parameters], { from: 'user' });
    return DONE;
  } catch (error) {
    // Commander has printed the problem or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE;
    surroundings.complain(`Error: ${sentenceOf(error)}`);
    return REFUSED;
  }
}

function programFor(surroundings: CommandSurroundings): Command {
  const { print, complain } = surroundings;
  const program = new Command('admin')
    .description(
      'Administers the service through its database, whether the service is running or not.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
    .showHelpAfterError('(--help lists the commands and options)');
  // Set once Commander runs the command.
  let given: GivenCommand = OPERATOR;
  program.hook('preAction', (_program, command) => {
    given = commandGiven(command, surroundings.variables['OPERATOR']);
  });
  const context = contextFor(surroundings, () => given);
  addConfigCommands(program, context);
  addDatabaseCommands(program, context);
  addAccessCommands(program, context);
  addDeliveryCommands(program, context);
  addApplicantCommands(program, context);
  addLenderCommands(program, context);
  addJourneyCommands(program, context);
  addRefundCommands(program, context);
  addSandboxCommands(program, context);
  addFlagCommands(program, context);
  addAuditCommands(program, context);
  return program;
}

function contextFor(surroundings: CommandSurroundings, given: () => GivenCommand): CommandContext {
  const {
    variables,
    schema,
    lenderAdapters,
    personalDataHolders,
    auditTrail,
    print,
    complain,
    wait,
  } = surroundings;
  const environment = () => parseEnvironment(variables);
  const deployment = () => {
    const settings = environment();
    return { ...settings, lenderAdapters: lenderAdapters(settings.mode) };
  };
  const noted =
    (kind: 'CHANGES' | 'NOTES'): CommandContext['within'] =>
    (work, modules) =>
      withAdminContext(environment(), schema, {
        kind,
        work: async (context) => {
          const subjectId = await auditSubject(context, given().subjectId);
          await recordCommand(context.get(Database).dataSource, { ...given(), subjectId });
          return work(context);
        },
        modules,
        report: complain,
      });
  return {
    variables,
    environment,
    deployment,
    auditTrail,
    keptByReset: schema.keptByReset,
    personalDataHolders: () => personalDataHolders(environment().mode),
    within: noted('CHANGES'),
    noting: noted('NOTES'),
    reading: (work, modules) =>
      withAdminContext(environment(), schema, { kind: 'READS', work, modules }),
    givenBy: () => given().givenBy,
    print,
    wait,
  };
}

const EXPECTED = [Refusal, EnvironmentError, DurabilityError, MasterKeyError, OtherSchemaError];

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `The command failed: ${String(error)}`;
  if (EXPECTED.some((expected) => error instanceof expected)) return error.message;
  if (isConnectionLost(error)) return `The database cannot be reached: ${messageOf(error)}`;
  return databaseProblem(error) ?? `The command failed: ${error.stack ?? error.message}`;
}
