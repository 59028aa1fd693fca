import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DriveOrder, DriveResult } from './drive.ts';

/** The load's process: takes orders one at a time. */
export class Driver {
  private readonly child: ChildProcess;
  private readonly answers: AsyncIterator<string>;
  private readonly lines: Interface;

  constructor() {
    this.child = spawn(process.execPath, [fileURLToPath(new URL('drive.ts', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    process.once('exit', () => this.child.kill('SIGKILL'));
    if (!this.child.stdout) throw new Error('the driver has no output');
    this.lines = createInterface({ input: this.child.stdout });
    this.answers = this.lines[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws Error when any answer was no success */
  async drive(order: DriveOrder): Promise<DriveResult> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error('the driver has ended');
    const result = JSON.parse(value) as DriveResult;
    if (result.failures > 0) {
      throw new Error(
        `${result.failures} answers were no success, the first:\n${result.firstFailure}`,
      );
    }
    return result;
  }

  close(): void {
    this.lines.close();
    this.child.kill('SIGTERM');
  }
}
