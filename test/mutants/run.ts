/**
 * Breaks rules one at a time in copies of the tree and checks that a test fails. Exits with 1 if none did.
 *
 *     node test/mutants/run.ts [--only <pattern of rules or files>] [--jobs 2] [--timeout 180] [--no-baseline]
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../faults/command-line.ts';
import { startOwnServer } from '../faults/run-database.ts';
import { readMutants } from './list.ts';
import { runMutants } from './mutant-run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
      timeout: { type: 'string', default: '180' },
      'no-baseline': { type: 'boolean', default: false },
    },
  });
  const only = new RegExp(values.only, 'i');
  const text = readFileSync(new URL('mutants.txt', import.meta.url), 'utf8');
  const mutants = readMutants(text).filter(({ rule, file }) => only.test(`${file} ${rule}`));
  if (mutants.length === 0) throw new Error(`No mutant matches --only ${values.only}`);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => stopping.abort(new Error(`Ended by ${name}`)));
  }
  const server = await startOwnServer(['fsync=off', 'full_page_writes=off']);
  try {
    const results = await runMutants({
      root: ROOT,
      mutants,
      jobs: wholeNumber('jobs', values.jobs, 1, 16),
      timeoutMs: wholeNumber('timeout', values.timeout, 1, 3_600) * 1_000,
      hasBaseline: !values['no-baseline'],
      environment: { TEST_DATABASE_URL: server.url },
      signal: stopping.signal,
      log: console.log,
    });
    const left = results.filter(({ outcome }) => outcome !== 'KILLED');
    for (const { outcome, file, rule } of left) console.log(`FINDING ${outcome} ${file}: ${rule}`);
    console.log(`${results.length - left.length} of ${results.length} mutants were killed.`);
    return left.length === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
