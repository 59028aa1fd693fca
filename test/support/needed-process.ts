import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const READY_MS = 80_000;
const STOP_MS = 20_000;

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A child process that ends with the run. */
export class RunningProcess {
  /** The exit code, after all output; null when a signal ended the process. */
  readonly ended: Promise<number | null>;
  /** Whether it was asked to end. */
  isEnding = false;
  readonly name: string;
  protected readonly child: ChildProcess;
  readonly #chunks: Buffer[] = [];

  constructor(name: string, command: string, args: readonly string[], options: SpawnOptions) {
    this.name = name;
    this.child = spawn(command, args, options);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    }
    const killAtExit = () => this.child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.ended = new Promise((resolve) => {
      const end = () => {
        process.removeListener('exit', killAtExit);
        resolve(this.child.exitCode);
      };
      this.child.once('error', end).once('close', end);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get output(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** @throws Error when it does not end in time */
  async terminate(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.isEnding = true;
    if (this.isRunning) this.child.kill(signal);
    return this.exitCode();
  }

  /** @throws Error when it does not end in time */
  async exitCode(): Promise<number | null> {
    const late = sleep(STOP_MS, 'LATE' as const, { ref: false });
    const code = await Promise.race([this.ended, late]);
    if (code !== 'LATE') return code;
    await this.kill();
    throw new Error(`${this.name} did not end within ${STOP_MS / 1000} s:\n${this.output}`);
  }

  async kill(): Promise<void> {
    this.isEnding = true;
    if (this.isRunning) this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** A process of the project that reports when it is ready and must exit with 0. */
export class NeededProcess extends RunningProcess {
  constructor(
    name: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    options: SpawnOptions = {},
  ) {
    super(name, process.execPath, args, {
      cwd: ROOT,
      env: { ...plainEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      ...options,
    });
  }

  /** @throws Error when it ends first, or is not ready in time */
  async ready(): Promise<void> {
    const settled = new AbortController();
    const { signal } = settled;
    try {
      const outcome = await Promise.race([
        once(this.child, 'message', { signal }).then(() => 'ready'),
        this.ended.then(() => 'ended while it was starting'),
        sleep(READY_MS, `was not ready within ${READY_MS / 1000} s`, { signal }),
      ]);
      if (outcome !== 'ready') throw new Error(`${this.name} ${outcome}:\n${this.output}`);
    } finally {
      settled.abort();
    }
  }

  /** @throws Error when it does not exit with 0 in time */
  async stop(): Promise<void> {
    if (!this.isRunning) throw new Error(`${this.name} ended before it was stopped`);
    const code = await this.terminate();
    if (code !== 0) throw new Error(`${this.name} ended with ${code ?? 'a signal'}`);
  }
}

/** A new user's shell: without the service's variables. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG };
}
