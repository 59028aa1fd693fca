import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { InstantLoanErasure, InstantLoanErasureModule } from '../../instant-loans/index.js';
import { ApplicantErasure, ErasureModule } from '../../journeys/index.js';
import { Database } from '../../platform/index.js';
import { Refusal } from '../refusal.js';
import type { CommandContext } from './command-context.js';

interface EraseOptions {
  journey?: string;
  application?: string;
  mobile?: string;
  pan?: string;
  force?: true;
}

interface Obstacle {
  readonly id: string;
  readonly state: string;
  readonly reason: 'IN_PROGRESS' | 'ACTION_IN_FLIGHT' | 'MONEY_ON_ITS_WAY';
}

interface Result {
  readonly erased: readonly string[];
  readonly erasedBefore: readonly string[];
  readonly inTheWay: readonly Obstacle[];
}

/** `applicants erase`. */
export function addApplicantCommands(program: Command, context: CommandContext): void {
  const applicants = program.command('applicants').description('applicants’ personal data');
  addErase(applicants, context);
}

function addErase(applicants: Command, { within, print }: CommandContext): void {
  applicants
    .command('erase')
    .description('erase an applicant’s personal data; loans, amounts and the audit stay')
    .option('--journey <id>', 'that of one journey')
    .option('--application <id>', 'that of one instant loan')
    .option('--mobile <number>', 'that of every loan with this mobile number')
    .option('--pan <pan>', 'that of every loan with this PAN')
    .option('--force', 'what is in progress, too: it is ended first')
    .action(async (options: EraseOptions) => {
      const { journey, application, mobile, pan } = options;
      const given = [journey, application, mobile, pan].filter((one) => one !== undefined);
      if (given.length !== 1) {
        throw new Refusal('Give one of --journey, --application, --mobile and --pan.');
      }
      const result = await within(
        (context) => erase(context, options),
        [ErasureModule, InstantLoanErasureModule],
      );
      print(sentenceOf(result));
    });
}

/** Journeys and instant loans together: all of it, or, refused, nothing. */
function erase(
  context: INestApplicationContext,
  { journey: journeyId, application: applicationId, mobile, pan, force }: EraseOptions,
): Promise<Result> {
  const isForced = force === true;
  return context.get(Database).transaction(async (tx) => {
    const results: Result[] = [
      await context.get(ApplicantErasure).erase(tx, { journeyId, mobile, pan }, isForced),
      await context.get(InstantLoanErasure).erase(tx, { applicationId, mobile, pan }, isForced),
    ];
    // Thrown inside the transaction: what one of the two has erased by then is not erased.
    refuseWhatStandsInTheWay(results.flatMap(({ inTheWay }) => inTheWay));
    return {
      erased: results.flatMap(({ erased }) => erased),
      erasedBefore: results.flatMap(({ erasedBefore }) => erasedBefore),
      inTheWay: [],
    };
  });
}

function refuseWhatStandsInTheWay(inTheWay: readonly Obstacle[]): void {
  if (inTheWay.length === 0) return;
  const lines = inTheWay.map(({ id, state, reason }) => {
    if (reason === 'IN_PROGRESS') return `${id} is in progress (${state}).`;
    if (reason === 'ACTION_IN_FLIGHT') {
      return `${id} has an action in progress: try again in half a minute.`;
    }
    return `${id} has its money on the way (${state}): wait until it is over.`;
  });
  const isForceEnough = inTheWay.every(({ reason }) => reason === 'IN_PROGRESS');
  const help = isForceEnough ? ' With --force it would be abandoned and then erased.' : '';
  throw new Refusal(`Nothing was erased. ${lines.join(' ')}${help}`);
}

function sentenceOf({ erased, erasedBefore }: Result): string {
  if (erased.length > 0) return `Erased the personal data of ${erased.join(', ')}.`;
  if (erasedBefore.length > 0) {
    return `The personal data of ${erasedBefore.join(', ')} was erased before.`;
  }
  return 'There is no loan of this applicant, or none that has not been erased.';
}
