import type { Command } from 'commander';
import { ApplicantErasure, type ErasureObstacle, type ErasureResult } from '../../erasure/index.js';
import { Refusal } from '../refusal.js';
import type { CommandContext } from './command-context.js';
import { readMobile, readPan } from './option-readers.js';

interface EraseOptions {
  journey?: string;
  application?: string;
  mobile?: string;
  pan?: string;
  force?: true;
}

export function addApplicantCommands(
  program: Command,
  { within, personalDataHolders, print }: CommandContext,
): void {
  program
    .command('applicants')
    .description('applicants’ personal data')
    .command('erase')
    .description('erase an applicant’s personal data; loans, amounts and the audit trail stay')
    .option('--journey <id>', 'the data of one journey')
    .option('--application <id>', 'the data of one application’s journey')
    .option('--mobile <number>', 'the data of every loan with this mobile number', readMobile)
    .option('--pan <pan>', 'the data of every loan with this PAN', readPan)
    .option('--force', 'also loans in progress: abandon them first')
    .action(async (options: EraseOptions) => {
      const { journey: journeyId, application: applicationId, mobile, pan, force } = options;
      const subject = { journeyId, applicationId, mobile, pan };
      if (Object.values(subject).filter((one) => one !== undefined).length !== 1) {
        throw new Refusal('Give exactly one of --journey, --application, --mobile, --pan.');
      }
      const result = await within(
        (context) => context.get(ApplicantErasure).erase(subject, force === true),
        personalDataHolders(),
      );
      refuseWhatStandsInTheWay(result.inTheWay);
      refuseUnknown(journeyId ?? applicationId, result);
      print(sentenceOf(result));
    });
}

function refuseWhatStandsInTheWay(inTheWay: readonly ErasureObstacle[]): void {
  if (inTheWay.length === 0) return;
  const lines = inTheWay.map(({ id, state, reason }) => {
    if (reason === 'IN_PROGRESS') return `${id} is in progress (${state}).`;
    if (reason === 'ACTION_IN_FLIGHT') {
      return `${id} has an action in progress: try again in 30 seconds.`;
    }
    return `${id} is being paid out (${state}): wait until that is over.`;
  });
  const isForceEnough = inTheWay.every(({ reason }) => reason === 'IN_PROGRESS');
  const help = isForceEnough ? ' With --force it is abandoned and erased.' : '';
  throw new Refusal(`Nothing was erased. ${lines.join(' ')}${help}`);
}

function refuseUnknown(id: string | undefined, { erased, erasedBefore }: ErasureResult): void {
  if (id === undefined || erased.length + erasedBefore.length > 0) return;
  throw new Refusal(`There is no loan ${id}.`);
}

function sentenceOf({ erased, erasedBefore }: ErasureResult): string {
  if (erased.length > 0) return `OK: erased the personal data of ${erased.join(', ')}.`;
  if (erasedBefore.length > 0) {
    return `OK: the personal data of ${erasedBefore.join(', ')} was already erased.`;
  }
  return 'OK: no loan of this applicant has personal data to erase.';
}
