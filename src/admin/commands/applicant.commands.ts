import type { Command } from 'commander';
import { ApplicantErasure, ErasureModule, type ErasureResult } from '../../journeys/index.js';
import { Refusal } from '../refusal.js';
import type { CommandContext } from './command-context.js';

interface EraseOptions {
  journey?: string;
  mobile?: string;
  pan?: string;
  force?: true;
}

/** `applicants erase`. */
export function addApplicantCommands(program: Command, context: CommandContext): void {
  const applicants = program.command('applicants').description('applicants’ personal data');
  addErase(applicants, context);
}

function addErase(applicants: Command, { within, print }: CommandContext): void {
  applicants
    .command('erase')
    .description('erase an applicant’s personal data; journeys, amounts and the audit stay')
    .option('--journey <id>', 'that of one journey')
    .option('--mobile <number>', 'that of every journey with this mobile number')
    .option('--pan <pan>', 'that of every journey with this PAN')
    .option('--force', 'journeys in progress, too: they are abandoned first')
    .action(async ({ journey, mobile, pan, force }: EraseOptions) => {
      const given = [journey, mobile, pan].filter((one) => one !== undefined);
      if (given.length !== 1) throw new Refusal('Give one of --journey, --mobile and --pan.');
      const result = await within(
        (context) =>
          context.get(ApplicantErasure).erase({ journeyId: journey, mobile, pan }, force === true),
        [ErasureModule],
      );
      refuseWhatStandsInTheWay(result);
      print(sentenceOf(result));
    });
}

function refuseWhatStandsInTheWay({ inTheWay }: ErasureResult): void {
  if (inTheWay.length === 0) return;
  const lines = inTheWay.map(({ journeyId, state, reason }) => {
    if (reason === 'IN_PROGRESS') return `${journeyId} is in progress (${state}).`;
    if (reason === 'ACTION_IN_FLIGHT') {
      return `${journeyId} has an action in progress: try again in half a minute.`;
    }
    return `${journeyId} has its money on the way (${state}): wait until it is over.`;
  });
  const isForceEnough = inTheWay.every(({ reason }) => reason === 'IN_PROGRESS');
  const help = isForceEnough ? ' With --force it would be abandoned and then erased.' : '';
  throw new Refusal(`Nothing was erased. ${lines.join(' ')}${help}`);
}

function sentenceOf({ erased, erasedBefore }: ErasureResult): string {
  if (erased.length > 0) return `Erased the personal data of ${erased.join(', ')}.`;
  if (erasedBefore.length > 0) {
    return `The personal data of ${erasedBefore.join(', ')} was erased before.`;
  }
  return 'There is no journey of this applicant, or none that has not been erased.';
}
