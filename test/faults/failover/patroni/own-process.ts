import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface OwnProcessOptions {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const STOP_MS = 15_000;

/** A process that ends with the run. */
export class OwnProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;

  constructor({ command: [file, ...words], env = {}, logFile }: OwnProcessOptions) {
    const log = openSync(logFile, 'a');
    // A fixed locale, so that the run can parse the output.
    const environment = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env };
    const child = spawn(file, words, { stdio: ['ignore', log, log], env: environment });
    closeSync(log);
    this.child = child;
    const killAtExit = () => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.ended = new Promise((resolve) => {
      const over = () => {
        process.removeListener('exit', killAtExit);
        resolve();
      };
      child.once('error', over);
      child.once('exit', over);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  async kill(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGTERM');
    await Promise.race([this.ended, sleep(STOP_MS, undefined, { ref: false })]);
    await this.kill();
  }
}
