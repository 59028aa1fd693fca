import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, problemsOf, specsOf, syntaxProblems } from './list.ts';
import { breakTree, copyTree } from './tree-copy.ts';

export interface MutantRunOptions {
  readonly root: string;
  readonly mutants: readonly Mutant[];
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly hasBaseline: boolean;
  readonly environment: Record<string, string>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

interface SpecRun {
  readonly outcome: 'KILLED' | 'SURVIVED' | 'TIMED_OUT' | 'NOT_RUN';
  /** The first test that failed, or what happened instead. */
  readonly by: string;
}

interface JsonReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const REPORT = 'mutant-report.json';
const SHOWN = 400;
/** All specs take longer than those of one mutant. */
const BASELINE_TIMES = 40;

/**
 * Runs the specs on the unbroken code, then those of each mutant on its broken copy.
 * @throws Error if the list does not fit the tree, or a spec fails on unbroken code
 */
export async function runMutants(options: MutantRunOptions): Promise<(SpecRun & Mutant)[]> {
  const { root, mutants, jobs, timeoutMs, hasBaseline, log } = options;
  for (const check of [problemsOf, syntaxProblems]) {
    const problems = check(root, mutants);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
  const copies = Array.from({ length: Math.min(jobs, mutants.length) }, () => copyTree(root));
  try {
    if (hasBaseline) {
      const all = [...new Set(mutants.flatMap((mutant) => specsOf(root, mutant)))];
      log(`Unbroken code: ${all.length} spec files`);
      const longer = { ...options, timeoutMs: BASELINE_TIMES * timeoutMs };
      const { outcome, by } = await runSpecs(longer, copies[0], all);
      if (outcome !== 'SURVIVED') throw new Error(`Fails on unbroken code: ${by}`);
    }
    const results: (SpecRun & Mutant)[] = [];
    const queue = mutants.entries();
    const work = async (dir: string) => {
      for (const [place, mutant] of queue) {
        const undo = breakTree(dir, mutant);
        const run = await runSpecs(options, dir, specsOf(root, mutant)).finally(undo);
        results[place] = { ...mutant, ...run };
        log(`${run.outcome.padEnd(9)} ${mutant.rule}  <- ${run.by}`);
      }
    };
    await Promise.all(copies.map(work));
    return results;
  } finally {
    for (const dir of copies) rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs specs until the first failing test. */
async function runSpecs(
  options: MutantRunOptions,
  dir: string,
  specs: readonly string[],
): Promise<SpecRun> {
  const report = join(dir, REPORT);
  rmSync(report, { force: true });
  const { isTimedOut, output } = await runVitest(options, dir, specs);
  options.signal.throwIfAborted();
  if (isTimedOut) return { outcome: 'TIMED_OUT', by: 'the specs did not end in time' };
  if (!existsSync(report)) return { outcome: 'NOT_RUN', by: output.slice(-SHOWN) };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed) return { outcome: 'KILLED', by: failed.fullName };
  const file = testResults.find(({ status }) => status === 'failed');
  if (file) return { outcome: 'KILLED', by: `${file.name}: ${file.message.slice(0, SHOWN)}` };
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return { outcome: passed > 0 ? 'SURVIVED' : 'NOT_RUN', by: `${passed} tests passed` };
}

async function runVitest(
  { environment, timeoutMs, signal }: MutantRunOptions,
  dir: string,
  specs: readonly string[],
) {
  const vitest = join(dir, 'node_modules/vitest/vitest.mjs');
  const options = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${REPORT}`];
  const child = spawn(process.execPath, [vitest, 'run', ...specs, ...options], {
    cwd: dir,
    env: { ...process.env, ...environment },
    // A process group, because an interrupted test may have started services.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const killGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    killGroup();
  }, timeoutMs);
  signal.addEventListener('abort', killGroup, { once: true });
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  signal.removeEventListener('abort', killGroup);
  killGroup();
  return { isTimedOut, output };
}
