import type { Environment } from '../config/environment.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';

/** The PostgreSQL that a process works on; `stop` ends it when this process has started it. */
export interface OpenDatabase {
  readonly url: string;
  /** Resolves when the embedded one ends by itself; an external one is waited for instead. */
  readonly ended: Promise<Error>;
  stop(): Promise<void>;
}

/**
 * The PostgreSQL that the environment names: an external one as it is, else the embedded one of the
 * data folder, started here or joined where another process has it running.
 * @throws Error with what to do when the embedded one cannot run here
 */
export async function openDatabase(
  environment: Pick<Environment, 'databaseUrl' | 'dataDir'>,
): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = environment;
  if (databaseUrl !== undefined) {
    const ended = new Promise<Error>(() => undefined);
    return { url: databaseUrl, ended, stop: () => Promise.resolve() };
  }
  return startEmbeddedPostgres({ dataDir });
}
