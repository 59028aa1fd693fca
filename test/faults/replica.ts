import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtService, serviceVariables } from '../support/built-service.ts';
import { freePort } from '../support/free-port.ts';
import { NeededProcess } from '../support/needed-process.ts';

// Shared, so that every replica can open sealed values.
export const MASTER_KEY = 'faults:WJNslJTle80AYeD76GqNir8dRo1UK/4Dot6ZognocfM=';

/** A process of the built service at a fixed address. It can be killed and restarted. */
export class Replica {
  readonly name: string;
  readonly baseUrl: string;
  /** Whether it has become ready and has not been killed since. */
  isUp = false;
  kills = 0;
  readonly errors: string[] = [];
  readonly #mainFile: string;
  readonly #variables: Readonly<Record<string, string>>;
  #child: NeededProcess | undefined;

  private constructor(
    name: string,
    port: number,
    mainFile: string,
    variables: Readonly<Record<string, string>>,
  ) {
    this.name = name;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.#mainFile = mainFile;
    this.#variables = variables;
  }

  static async create(
    name: string,
    databaseUrl: string,
    env: Readonly<Record<string, string>>,
  ): Promise<Replica> {
    const port = await freePort();
    const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-faults-'));
    const variables = { ...serviceVariables(port, databaseUrl, dataDir), MASTER_KEY, ...env };
    return new Replica(name, port, await builtService(), variables);
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  async start(): Promise<void> {
    const child = new NeededProcess(this.name, [this.#mainFile], this.#variables);
    this.#child = child;
    void child.ended.then(() => {
      this.errors.push(...errorsIn(child.output));
      if (this.#child === child) this.#child = undefined;
    });
    try {
      await child.ready();
      this.isUp = !child.isEnding;
    } catch (error) {
      if (!child.isEnding) throw error;
    }
  }

  /** Kills it at any moment, also during its start. */
  async kill(): Promise<void> {
    this.isUp = false;
    this.kills += 1;
    await this.#child?.kill();
  }

  /** @throws Error when it does not end with 0 in time */
  async stop(): Promise<void> {
    const child = this.#child;
    this.isUp = false;
    try {
      await child?.stop();
    } finally {
      await child?.kill();
      rmSync(this.#variables.DATA_DIR, { recursive: true, force: true });
    }
  }
}

/** Error lines of the log, without flags, whose rows are checked. */
function errorsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /^\{"level":[56]0/.test(line) && !line.includes('"msg":"flag raised"'));
}
