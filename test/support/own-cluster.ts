import { join } from 'node:path';
import { type MigratedCluster, startMigratedCluster, TEMPLATE } from './migrated-cluster.ts';
import { run } from './standby.ts';

export interface OwnCluster extends MigratedCluster {
  readonly clusterDir: string;
}

/** Starts a PostgreSQL for one test, with a migrated database; `settings` as `name=value`. */
export async function startOwnCluster(settings: readonly string[]): Promise<OwnCluster> {
  const server = await startMigratedCluster(TEMPLATE, settings);
  try {
    await run(server.url, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS true`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const url = new URL(server.url);
  url.pathname = `/${TEMPLATE}`;
  return { ...server, url: url.href, clusterDir: join(server.dataDir, 'postgres') };
}
