import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtService } from '../support/built-service.ts';
import { databaseVariables } from '../support/database-variables.ts';
import { freePort } from '../support/free-port.ts';
import { NeededProcess } from '../support/needed-process.ts';

// Shared, so that a replica can open what another sealed.
export const MASTER_KEY = 'faults:WJNslJTle80AYeD76GqNir8dRo1UK/4Dot6ZognocfM=';
const ERROR_LEVEL = 50;

/** A service of a run, at a fixed address. */
export interface Replica {
  readonly name: string;
  readonly baseUrl: string;
  /** Whether it is ready and was not killed since. */
  readonly isUp: boolean;
  readonly isRunning: boolean;
  readonly kills: number;
  readonly errors: readonly string[];
  start(): Promise<void>;
  /** Kills it in the middle of anything, even its start. */
  kill(): Promise<void>;
  /** @throws Error if it does not exit with 0 in time */
  stop(): Promise<void>;
}

export type CreateReplica = (
  name: string,
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
) => Promise<Replica>;

/** A process of the built service: killed without warning, and started again on its port. */
export class ReplicaProcess implements Replica {
  readonly name: string;
  readonly baseUrl: string;
  isUp = false;
  kills = 0;
  readonly errors: string[] = [];
  private readonly mainFile: string;
  private readonly variables: Readonly<Record<string, string>>;
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'rinpath-faults-'));
  private child: NeededProcess | undefined;

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
  ): Promise<ReplicaProcess> {
    const variables = { ...databaseVariables(databaseUrl), ...env };
    return new ReplicaProcess(name, await freePort(), await builtService(), variables);
  }

  get isRunning(): boolean {
    return this.child !== undefined;
  }

  async start(): Promise<void> {
    const child = new NeededProcess(this.name, [this.mainFile], this.variables);
    this.child = child;
    void child.ended.then(() => {
      this.collectErrors(child.output);
      if (this.child === child) this.child = undefined;
    });
    try {
      await child.ready();
      this.isUp = !child.isKilled;
    } catch (error) {
      if (!child.isKilled) throw error;
    }
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.isUp = false;
    this.kills += 1;
    await child?.kill();
    await child?.ended;
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.isUp = false;
    try {
      await child?.stop();
    } finally {
      await child?.kill();
      await child?.ended;
      rmSync(this.dataDir, { recursive: true, force: true });
    }
  }

  private collectErrors(output: string): void {
    for (const line of output.split('\n')) {
      const level = /^\{"level":(\d+)/.exec(line)?.[1];
      // Flags are checked by their rows.
      const isFlag = line.includes('"msg":"flag raised"');
      if (Number(level) >= ERROR_LEVEL && !isFlag) this.errors.push(line);
    }
  }
}
