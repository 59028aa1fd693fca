import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from './built-service.ts';

type Platform = typeof import('../../src/platform/index.js');

export interface BenchServer {
  readonly url: string;
  /** Its data folder. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/**
 * Starts the service's embedded PostgreSQL with its shipped settings.
 * @param keptIn the data folder, which remains; absent: a temporary folder
 * @param settings more server settings, as `name=value`
 */
export async function startBenchServer(
  keptIn?: string,
  settings: readonly string[] = [],
): Promise<BenchServer> {
  const platform = await built<Platform>('src/platform/index.js');
  const dataDir = keptIn ?? mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  mkdirSync(dataDir, { recursive: true });
  // As root, PostgreSQL runs as the user postgres, who must enter the folder.
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
