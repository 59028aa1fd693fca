/**
 * `npm run check`: every check that a change must pass. Static checks run first, in parallel with the build, to fail
 * within a minute. The tests follow, in parallel with the demonstrations.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Step {
  readonly script: string;
  readonly isShown?: boolean;
}

interface Outcome {
  readonly script: string;
  readonly code: number;
  readonly seconds: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORES = 2;

// Longest first.
const BEFORE: Step[] = [
  { script: 'build' },
  { script: 'types' },
  { script: 'format:check' },
  { script: 'boundaries' },
  { script: 'lint' },
  { script: 'language' },
];
const TESTS: Step[] = [
  { script: 'test:built', isShown: true },
  { script: 'demo:check' },
  { script: 'demo:lenders' },
];

process.exitCode = (await runAll(BEFORE)) && (await runAll(TESTS)) ? 0 : 1;

async function runAll(steps: readonly Step[]): Promise<boolean> {
  const queue = [...steps];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      outcomes.push(await run(step));
    }
  };
  await Promise.all(Array.from({ length: CORES }, lane));
  const failed = outcomes.filter(({ code }) => code !== 0);
  for (const { script, seconds } of outcomes) console.log(`${script}: ${seconds.toFixed(0)} s`);
  for (const { script } of failed) console.error(`npm run ${script} failed`);
  return failed.length === 0;
}

async function run({ script, isShown = false }: Step): Promise<Outcome> {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  const child = spawn('npm', ['run', '--silent', script], {
    cwd: ROOT,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  if (!isShown) process.stdout.write(Buffer.concat(chunks));
  return { script, code, seconds: (performance.now() - startedAt) / 1_000 };
}
