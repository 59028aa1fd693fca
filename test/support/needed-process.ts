import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const READY_MS = 60_000;
const STOP_MS = 20_000;

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A process that a run needs: it reports when it is ready, must stop properly, and ends with the run. */
export class NeededProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #chunks: Buffer[] = [];
  /** Resolves when all of its output was read. */
  readonly ended: Promise<void>;
  isKilled = false;

  constructor(name: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#name = name;
    this.#child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...plainEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    }
    const killAtExit = () => this.#child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.ended = once(this.#child, 'close').then(() => {
      process.removeListener('exit', killAtExit);
    });
  }

  get output(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  /** @throws Error if it ends instead, or is not ready in time */
  async ready(): Promise<void> {
    const settled = new AbortController();
    const { signal } = settled;
    try {
      const outcome = await Promise.race([
        once(this.#child, 'message', { signal }).then(() => 'ready'),
        once(this.#child, 'exit', { signal }).then(() => 'ended while it was starting'),
        sleep(READY_MS, `was not ready within ${READY_MS / 1000} s`, { signal }),
      ]);
      if (outcome !== 'ready') throw new Error(`${this.#name} ${outcome}:\n${this.output}`);
    } finally {
      settled.abort();
    }
  }

  /** @throws Error if it does not exit with 0 in time */
  async stop(): Promise<void> {
    if (this.#hasEnded) throw new Error(`${this.#name} ended before it was stopped`);
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await Promise.race([exit, sleep(STOP_MS, undefined, { ref: false })]);
    if (!this.#hasEnded) {
      throw new Error(`${this.#name} did not stop within ${STOP_MS / 1000} s of SIGTERM`);
    }
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0) throw new Error(`${this.#name} ended with ${exitCode ?? signalCode}`);
  }

  async kill(): Promise<void> {
    this.isKilled = true;
    if (this.#hasEnded) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** A new user's environment: none of the service's own variables. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG };
}
