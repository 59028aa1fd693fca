import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ALONE } from './alone.ts';
import type { DriveOrder, DriveResult } from './drive.ts';

const MOST_WARM_UPS = 5;
const WARM_UP_REST_MS = 3_000;

/** The load's process: executes one order at a time. */
export class Driver {
  private readonly child: ChildProcess;
  private readonly answers: AsyncIterator<string>;
  private readonly lines: Interface;

  constructor() {
    this.child = spawn(process.execPath, [fileURLToPath(new URL('drive.ts', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const kill = () => this.child.kill('SIGKILL');
    process.once('exit', kill);
    this.child.once('exit', () => process.off('exit', kill));
    if (!this.child.stdout) throw new Error('the driver has no output');
    this.lines = createInterface({ input: this.child.stdout });
    this.answers = this.lines[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws Error when any response failed */
  async drive(order: DriveOrder): Promise<DriveResult> {
    const result = await this.send(order);
    if (result.failures > 0) throw new Error(failureOf(order, result));
    return result;
  }

  /**
   * Drives calls that are not measured. A cold service may answer some with 503; then all are driven again.
   * @throws Error after another failure, or repeated 503s
   */
  async warmUp(order: DriveOrder): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const result = await this.send(order);
      if (result.failures === 0) return;
      if (result.unavailable < result.failures || tries === MOST_WARM_UPS) {
        throw new Error(failureOf(order, result));
      }
      process.stderr.write(
        `warm-up: ${result.failures} calls of ${callOf(order)} were answered 503, trying again\n`,
      );
      await sleep(WARM_UP_REST_MS);
    }
  }

  private async send(order: DriveOrder): Promise<DriveResult> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error('the driver has ended');
    return JSON.parse(value) as DriveResult;
  }

  close(): void {
    this.lines.close();
    this.child.kill('SIGTERM');
  }
}

function callOf({ method, targets }: DriveOrder): string {
  return `${method} ${targets[0]}`;
}

function failureOf(
  order: DriveOrder,
  { failures, unavailable, firstFailure }: DriveResult,
): string {
  const summary = `${failures} of ${order.requests} calls of ${callOf(order)} were no success, so the run ends. The first:\n${firstFailure}`;
  if (unavailable === 0) return summary;
  return `${summary}\n${unavailable} were answered 503: the service, or PostgreSQL for it, was too slow. ${ALONE}`;
}
