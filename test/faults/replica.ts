import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtService } from '../support/built-service.ts';
import { databaseVariables } from '../support/database-variables.ts';
import { freePort } from '../support/free-port.ts';

// What one replica seals, the others open.
export const MASTER_KEY = 'faults:WJNslJTle80AYeD76GqNir8dRo1UK/4Dot6ZognocfM=';
const READY_MS = 60_000;
const STOP_MS = 20_000;
const ERROR_LEVEL = 50;

/** One of the built service's processes: killed without a word, and started again on its port. */
export class Replica {
  readonly name: string;
  readonly baseUrl: string;
  /** Whether it has become ready and has not been killed since. */
  isUp = false;
  kills = 0;
  readonly errors: string[] = [];
  private readonly mainFile: string;
  private readonly variables: Readonly<Record<string, string | undefined>>;
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'rinpath-faults-'));
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private output = '';

  private constructor(
    name: string,
    port: number,
    mainFile: string,
    variables: Readonly<Record<string, string>>,
  ) {
    this.name = name;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.mainFile = mainFile;
    this.variables = {
      PATH: process.env.PATH,
      MODE: 'sandbox',
      PORT: String(port),
      BASE_URL: this.baseUrl,
      DATA_DIR: this.dataDir,
      MASTER_KEY,
      LOG_LEVEL: 'warn',
      ...variables,
    };
  }

  static async create(
    name: string,
    databaseUrl: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Replica> {
    const variables = { ...databaseVariables(databaseUrl), ...env };
    return new Replica(name, await freePort(), await builtService(), variables);
  }

  get isRunning(): boolean {
    return this.child !== undefined;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.mainFile], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.variables,
    });
    this.child = child;
    this.output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    }
    const killAtExit = () => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        process.removeListener('exit', killAtExit);
        this.collectErrors();
        if (this.child === child) this.child = undefined;
        resolve();
      });
    });
    await this.untilReady(child);
  }

  async kill(): Promise<void> {
    this.isUp = false;
    this.kills += 1;
    this.child?.kill('SIGKILL');
    await this.ended;
  }

  /** @throws Error when it does not end with 0 in time */
  async stop(): Promise<void> {
    this.isUp = false;
    const { child } = this;
    const from = performance.now();
    if (child) {
      child.kill('SIGTERM');
      await Promise.race([this.ended, sleep(STOP_MS, undefined, { ref: false })]);
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await this.ended;
      }
    }
    rmSync(this.dataDir, { recursive: true, force: true });
    if (child && child.exitCode !== 0) {
      const ms = Math.round(performance.now() - from);
      throw new Error(
        `${this.name} ended with ${child.exitCode ?? child.signalCode} after ${ms} ms`,
      );
    }
  }

  private async untilReady(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline && !child.killed) {
      if (this.child !== child) throw new Error(`${this.name} ended by itself:\n${this.output}`);
      if (await this.isReady()) {
        this.isUp = !child.killed;
        return;
      }
      await sleep(50);
    }
    if (!child.killed) throw new Error(`${this.name} did not become ready:\n${this.output}`);
  }

  private async isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.baseUrl}/health/ready`, {
        signal: AbortSignal.timeout(2_000),
      });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  private collectErrors(): void {
    for (const line of this.output.split('\n')) {
      const level = /^\{"level":(\d+)/.exec(line)?.[1];
      // Flags are judged by their rows.
      const isFlag = line.includes('"msg":"flag raised"');
      if (Number(level) >= ERROR_LEVEL && !isFlag) this.errors.push(line);
    }
  }
}
