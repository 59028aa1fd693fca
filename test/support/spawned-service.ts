import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtService, serviceVariables } from './built-service.ts';
import { freePort } from './free-port.ts';
import { NeededProcess } from './needed-process.ts';
import { TEST_MASTER_KEY } from './service.js';

export interface SpawnOptions {
  databaseUrl: string;
  env?: Record<string, string>;
  port?: number;
}

export interface SpawnedService {
  readonly baseUrl: string;
  readonly pid: number;
  output(): string;
  kill(): Promise<void>;
  /** @throws Error when it does not end in time */
  stop(): Promise<number | null>;
}

/** Characters of output to keep: the final stack trace and the lines before it. */
const LAST_WORDS = 8_000;

/**
 * A module that ends the process when its parent ends, even after a kill, so that a failed test leaves no process.
 */
const END_WITH_US = `data:text/javascript,process.once('disconnect', () => process.exit(1)); process.channel?.unref();`;

/** @throws Error with the process's output when it is not ready in time */
export async function spawnService(options: SpawnOptions): Promise<SpawnedService> {
  const port = options.port ?? (await freePort());
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-spawned-'));
  const variables = {
    ...serviceVariables(port, options.databaseUrl, dataDir),
    MASTER_KEY: TEST_MASTER_KEY,
    ...options.env,
  };
  const main = await builtService();
  const child = new NeededProcess('The service', ['--import', END_WITH_US, main], variables);
  void child.ended.then((code) => {
    rmSync(dataDir, { recursive: true, force: true });
    if (code === 0 || child.isEnding) return;
    console.error(`The service ended with ${code}. It wrote:\n${child.output.slice(-LAST_WORDS)}`);
  });
  await child.ready();
  return {
    baseUrl: variables.BASE_URL,
    pid: child.pid,
    output: () => child.output,
    kill: () => child.kill(),
    stop: () => child.terminate(),
  };
}
