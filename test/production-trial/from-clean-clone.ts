/**
 * Tries a production from a clean clone: clones the current commit, installs and builds it, removes development
 * dependencies as in docs/operators/going-live.md, and runs `run.ts`. With `--here` it runs `run.ts` on this build.
 * Exits with 1 if a step fails.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plainEnvironment, ROOT } from '../support/needed-process.ts';

/** The registry may be slow. */
const STEP_MS = 600_000;

const TRIAL = 'test/production-trial/run.ts';

const { values: wanted } = parseArgs({ options: { here: { type: 'boolean', default: false } } });

/** @throws Error if it fails */
function run(folder: string, command: string, ...parameters: string[]): void {
  console.log(`$ ${[command, ...parameters].join(' ')}`);
  const { status } = spawnSync(command, parameters, {
    cwd: folder,
    env: plainEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STEP_MS,
  });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? 'nothing, in time'}`);
}

function tryClone(): void {
  const clone = mkdtempSync(join(tmpdir(), 'rinpath-clone-'));
  try {
    // PostgreSQL does not run as root; its user needs access.
    chmodSync(clone, 0o755);
    run(clone, 'git', 'clone', '--quiet', ROOT, '.');
    run(clone, 'npm', 'ci', '--no-audit', '--no-fund');
    run(clone, 'npm', 'run', 'build');
    run(clone, 'npm', 'prune', '--omit=dev', '--no-audit', '--no-fund');
    run(clone, join(clone, 'node_modules/.bin/node'), TRIAL);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

try {
  if (wanted.here) run(ROOT, process.execPath, TRIAL);
  else tryClone();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
