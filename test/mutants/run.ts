/**
 * Breaks rules of the service one at a time, in copies of the tree, and looks whether the tests concerned
 * notice. Run by plain `node` on a built service; exits with 1 when a broken rule went unnoticed.
 *
 *     node test/mutants/run.ts [--only <id>,<id>] [--area auth,money] [--jobs 2] [--timeout 180] [--no-baseline]
 *         [--json <file>]
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startOwnServer } from '../faults/run-database.ts';
import { AREAS } from './areas.ts';
import type { Mutant } from './mutant.ts';
import { runMutants } from './mutant-run.ts';
import { reportOf } from './report.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
// Nothing of a test run must survive a power cut.
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      area: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
      timeout: { type: 'string', default: '180' },
      'no-baseline': { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  return {
    mutants: chosen(words(values.area), words(values.only)),
    jobs: wholeNumber('jobs', values.jobs, 16),
    timeoutMs: wholeNumber('timeout', values.timeout, 3_600) * 1_000,
    hasBaseline: !values['no-baseline'],
    json: values.json,
  };
}

function words(list: string): string[] {
  return list.split(',').filter(Boolean);
}

function chosen(areas: readonly string[], ids: readonly string[]): readonly Mutant[] {
  const strange = areas.filter((area) => !Object.hasOwn(AREAS, area));
  if (strange.length > 0) {
    throw new Error(`There is no area ${strange.join()}; there are ${Object.keys(AREAS).join()}`);
  }
  const all = Object.entries(AREAS).flatMap(([area, mutants]) =>
    areas.length === 0 || areas.includes(area) ? mutants : [],
  );
  const unknown = ids.filter((id) => !all.some((mutant) => mutant.id === id));
  if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join()}`);
  return ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${most}`);
}

async function main(): Promise<number> {
  const { json, ...options } = readOptions();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => stopping.abort(new Error(`Ended by ${name}`)));
  }
  const startedAt = performance.now();
  // A server of its own is thrown away whole, with whatever a test that was cut short has left on it.
  const server = await startOwnServer(FAST_SETTINGS);
  try {
    const results = await runMutants({
      ...options,
      root: ROOT,
      environment: { TEST_DATABASE_URL: server.url },
      signal: stopping.signal,
      tell: console.log,
    });
    const report = reportOf(results, (performance.now() - startedAt) / 1_000);
    for (const line of report.lines) console.log(line);
    if (json !== undefined) writeFileSync(json, report.json);
    return report.isGood ? 0 : 1;
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
