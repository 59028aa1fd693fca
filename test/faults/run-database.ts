import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../support/run-statement.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const STARTER = new URL(
  '../../dist/src/platform/database/embedded/embedded-postgres.js',
  import.meta.url,
);

interface RunningPostgres {
  readonly url: string;
  readonly clusterDir: string;
  stop(): Promise<void>;
}

interface Starter {
  startEmbeddedPostgres(
    this: void,
    options: { dataDir: string; settings: readonly string[] },
  ): Promise<Omit<RunningPostgres, 'clusterDir'>>;
}

export interface RunDatabase {
  readonly url: string;
  readonly isOurs: boolean;
  drop(): Promise<void>;
}

/** A database on the server of TEST_DATABASE_URL, otherwise on an embedded one for the run. */
export async function openRunDatabase(): Promise<RunDatabase> {
  const external = process.env.TEST_DATABASE_URL;
  if (!external) {
    const server = await startOwnServer([]);
    return { url: server.url, isOurs: true, drop: () => server.stop() };
  }
  const name = `rinpath_faults_${process.pid}`;
  await run(external, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(external);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    isOurs: false,
    drop: async () => void (await run(external, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** Starts an embedded server for the run, by the built service; `settings` as `name=value`. */
export async function startOwnServer(settings: readonly string[]): Promise<RunningPostgres> {
  const file = fileURLToPath(STARTER);
  if (!existsSync(file)) throw new Error(`${file} is not there: run \`npm run build\` first`);
  const { startEmbeddedPostgres } = (await import(STARTER.href)) as Starter;
  const dataDir = scratchFolder('rinpath-faults-');
  // Under root, PostgreSQL runs as the user postgres, who needs access.
  chmodSync(dataDir, 0o755);
  const forget = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const running = await startEmbeddedPostgres({ dataDir, settings });
    const clusterDir = join(dataDir, 'postgres');
    return { url: running.url, clusterDir, stop: () => running.stop().finally(forget) };
  } catch (error) {
    forget();
    throw error;
  }
}
