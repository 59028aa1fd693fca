import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from './built-service.ts';

type Platform = typeof import('../../src/platform/index.js');

export interface BenchServer {
  readonly url: string;
  /** The folder of its data. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/**
 * Starts the service's embedded PostgreSQL, with its settings as shipped.
 * @param keptIn the folder of the data, which then stays; one that goes with the bench when left out
 * @param settings further ones of the server, as `name=value`
 */
export async function startBenchServer(
  keptIn?: string,
  settings: readonly string[] = [],
): Promise<BenchServer> {
  const platform = await built<Platform>('src/platform/index.js');
  const dataDir = keptIn ?? mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  mkdirSync(dataDir, { recursive: true });
  // Under root PostgreSQL runs as the user postgres, who must get in.
  chmodSync(dataDir, 0o755);
  const postgres = await platform.startEmbeddedPostgres({ dataDir, settings });
  return {
    url: postgres.url,
    dataDir,
    stop: async () => {
      await postgres.stop();
      if (keptIn === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
