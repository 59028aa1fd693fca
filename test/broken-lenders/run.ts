/**
 * Runs the conformance suite against every broken lender: each must fail exactly its cases. Exits with 1 otherwise.
 * `npm test` runs a short form.
 *
 *     node test/broken-lenders/run.ts [--only <part of a name>] [--jobs 4] [--timeout 120]
 */
import { parseArgs } from 'node:util';
import { wholeNumber } from '../faults/command-line.ts';
import { failsExactly, runBroken } from './broken-run.ts';
import { BROKEN_LENDERS } from './lenders/index.ts';
import { brokenTable } from './report.ts';

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      jobs: { type: 'string', default: '4' },
      timeout: { type: 'string', default: '120' },
    },
  });
  const lenders = BROKEN_LENDERS.filter(({ name }) => name.includes(values.only));
  if (lenders.length === 0) throw new Error(`There is no broken lender that ${values.only}`);
  return {
    lenders,
    jobs: wholeNumber('jobs', values.jobs, 1, 16),
    timeoutMs: wholeNumber('timeout', values.timeout, 1, 600) * 1_000,
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  const startedAt = performance.now();
  const onResult = (result: Parameters<typeof failsExactly>[0]) =>
    process.stderr.write(failsExactly(result) ? '.' : 'F');
  const results = await runBroken({ ...options, onResult });
  process.stderr.write('\n');
  console.log(brokenTable(results));
  const { user, system } = process.cpuUsage();
  const wall = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${wall} s, ${((user + system) / 1e6).toFixed(0)} s of processor time`);
  return results.every(failsExactly) ? 0 : 1;
}

try {
  // Open connections must not keep the process alive.
  process.exit(await main());
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
