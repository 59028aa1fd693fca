/**
 * Random walks on the built service: journeys over HTTP on two replicas, with reference lenders that answer at random.
 * They answer at once, late, twice, out of order, by callback or when asked again. Exits with 1 if a journey's end
 * differs from the lenders' books.
 *
 *     node test/walks/run.ts [--journeys 500] [--together 20] [--seconds 900] [--seed <number>]
 */
import { parseArgs } from 'node:util';
import { printReport, wholeNumber } from '../faults/command-line.ts';
import { openRunDatabase } from '../faults/run-database.ts';
import { runWalks, type WalkOptions } from './walk-run.ts';

function readOptions(): Omit<WalkOptions, 'databaseUrl'> {
  const { values } = parseArgs({
    options: {
      journeys: { type: 'string', default: '500' },
      together: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '900' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  return {
    journeys: wholeNumber('journeys', values.journeys, 1, 10_000),
    together: wholeNumber('together', values.together, 1, 200),
    seconds: wholeNumber('seconds', values.seconds, 10, 7_200),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31),
    pace: 1,
    faults: null,
    tell: console.log,
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  console.log(`seed ${options.seed}`);
  const database = await openRunDatabase();
  try {
    const report = await runWalks({ ...options, databaseUrl: database.url });
    printReport(report, 'All ended as the lenders’ books say.');
    return report.findings.length === 0 ? 0 : 1;
  } finally {
    await database.drop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
