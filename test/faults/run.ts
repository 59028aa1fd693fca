/**
 * The long fault run: journeys over real HTTP against replicas on one database that are killed with
 * SIGKILL at random moments and started again. Run by plain `node` on a built service; exits with 1
 * when anything was lost, doubled or left behind.
 *
 *     node test/faults/run.ts [--seconds 120] [--journeys 400] [--seed <number>] [--replicas 3]
 */
import { parseArgs } from 'node:util';
import { type FaultReport, type FaultRunOptions, runFaults } from './fault-run.ts';
import { openRunDatabase } from './run-database.ts';

const MOST_FINDINGS = 40;

type Numbers = Pick<FaultRunOptions, 'seconds' | 'journeys' | 'seed' | 'replicas'>;

function readOptions(): Numbers {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '120' },
      journeys: { type: 'string', default: '400' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      replicas: { type: 'string', default: '3' },
    },
  });
  return {
    seconds: wholeNumber('seconds', values.seconds, 5, 3_600),
    journeys: wholeNumber('journeys', values.journeys, 1, 5_000),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31),
    replicas: wholeNumber('replicas', values.replicas, 2, 3),
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
}

function print({ findings, figures }: FaultReport): void {
  for (const [name, value] of Object.entries(figures)) {
    console.log(`  ${name.padEnd(24)}${String(value).padStart(8)}`);
  }
  for (const finding of findings.slice(0, MOST_FINDINGS)) console.error(`FINDING ${finding}`);
  console.log(findings.length === 0 ? 'Nothing was lost.' : `${findings.length} findings.`);
}

async function main(): Promise<number> {
  const options = readOptions();
  const database = await openRunDatabase();
  try {
    const report = await runFaults({ ...options, databaseUrl: database.url, tell: console.log });
    print(report);
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
