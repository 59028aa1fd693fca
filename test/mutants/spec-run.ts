import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** How specs fared in a tree. */
export type SpecRun =
  | { readonly outcome: 'PASSED'; readonly titles: readonly Title[] }
  | { readonly outcome: 'FAILED'; readonly by: string }
  | { readonly outcome: 'TIMED_OUT' }
  | { readonly outcome: 'NOT_RUN'; readonly why: string };

export interface Title {
  readonly spec: string;
  readonly title: string;
}

export interface SpecRunOptions {
  readonly dir: string;
  readonly specs: readonly string[];
  readonly only?: string;
  readonly environment: Record<string, string>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface JsonReport {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const REPORT = 'mutant-report.json';
const SHOWN_OF_AN_ERROR = 400;

/** Runs specs until the first one fails, in a process group of their own that is gone at the end. */
export async function runSpecs(options: SpecRunOptions): Promise<SpecRun> {
  const report = join(options.dir, REPORT);
  rmSync(report, { force: true });
  const { isTimedOut, output } = await runVitest(options);
  options.signal.throwIfAborted();
  if (isTimedOut) return { outcome: 'TIMED_OUT' };
  if (!existsSync(report)) return { outcome: 'NOT_RUN', why: output.slice(-SHOWN_OF_AN_ERROR) };
  return judge(options.dir, JSON.parse(readFileSync(report, 'utf8')) as JsonReport);
}

function judge(dir: string, { success, testResults }: JsonReport): SpecRun {
  const specOf = (name: string) => name.slice(dir.length + 1);
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${specOf(name)}: ${fullName}`),
  );
  if (failed.length > 0) return { outcome: 'FAILED', by: failed[0] };
  const fallen = testResults.find(({ status }) => status === 'failed');
  if (fallen) {
    const why = fallen.message.slice(0, SHOWN_OF_AN_ERROR);
    return { outcome: 'FAILED', by: `${specOf(fallen.name)}, outside its tests: ${why}` };
  }
  const titles = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ fullName }) => ({ spec: specOf(name), title: fullName })),
  );
  if (!success) return { outcome: 'FAILED', by: 'an error that no test waits for' };
  if (titles.length === 0) return { outcome: 'NOT_RUN', why: 'no test has such a title' };
  return { outcome: 'PASSED', titles };
}

async function runVitest(options: SpecRunOptions) {
  const { dir, specs, only, environment, timeoutMs, signal } = options;
  const child = spawn(
    process.execPath,
    [
      join(dir, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...specs,
      ...(only === undefined ? [] : ['-t', only]),
      '--bail=1',
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile=${REPORT}`,
    ],
    {
      cwd: dir,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    killGroup(child.pid);
  }, timeoutMs);
  const stop = () => killGroup(child.pid);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // A test that was cut short may have left services of its own.
    killGroup(child.pid);
  }
  return { isTimedOut, output };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Everybody in it has ended.
  }
}
