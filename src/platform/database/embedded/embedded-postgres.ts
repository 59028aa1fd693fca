import { type ChildProcess, fork } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { keptText } from '../../config/kept-text.js';
import { within } from '../../work/few-at-a-time.js';
import type { Environment } from '../../config/environment.js';

/** `stop` ends only a server that this process started. */
export interface RunningPostgres {
  readonly url: string;
  readonly ended: Promise<Error>;
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly settings?: readonly string[];
}

const START_DEADLINE_MS = 30_000;
const RETRY_EVERY_MS = 300;
const STOP_DEADLINE_MS = 20_000;

/**
 * Joins a server of another process; PostgreSQL's folder lock decides.
 * @throws Error with the next step
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<RunningPostgres> {
  mkdirSync(options.dataDir, { recursive: true });
  assertPostgresUserMayEnter(options.dataDir);
  const passwordFile = join(options.dataDir, 'postgres-password');
  const password = keptText(passwordFile, () => randomBytes(24).toString('base64url'));
  const databaseDir = join(options.dataDir, 'postgres');
  // Another process may be stopping or starting a server.
  for (let waited = 0; waited < START_DEADLINE_MS; waited += RETRY_EVERY_MS) {
    const running = await joinRunning(databaseDir, password, options.dataDir);
    if (running) return running;
    const started = await startHost(databaseDir, password, options);
    if (started) return started;
    await sleep(RETRY_EVERY_MS);
  }
  throw new Error(cannotRun(options.dataDir));
}

function logFileOf(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

function hasEnded(dataDir: string): Error {
  return new Error(
    `The embedded PostgreSQL has ended, so the service ends. Its log is ${logFileOf(dataDir)}. ` +
      'Start the service again: committed data is kept.',
  );
}

function cannotRun(dataDir: string): string {
  return [
    'The embedded PostgreSQL did not start.',
    `Its log is ${logFileOf(dataDir)}.`,
    'Fix the cause, or set DATABASE_URL to a PostgreSQL server (15 or later).',
  ].join(' ');
}

/** As root, the server runs as user postgres. */
function assertPostgresUserMayEnter(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const moduleDir = dirname(fileURLToPath(import.meta.url));
  for (const start of [dataDir, moduleDir]) {
    for (let dir = start; dir !== dirname(dir); dir = dirname(dir)) {
      if (!existsSync(dir) || (statSync(dir).mode & 0o001) !== 0) continue;
      throw new Error(
        `PostgreSQL does not run as root, and the user postgres cannot enter ${dir}. ` +
          'Run the service as an ordinary user, move it (and DATA_DIR) to a directory that other users ' +
          'can enter, or set DATABASE_URL.',
      );
    }
  }
}

function urlFor(port: number, password: string): string {
  return `postgres://rinpath:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

/** Line 4 of the pid file is the port. */
async function joinRunning(
  databaseDir: string,
  password: string,
  dataDir: string,
): Promise<RunningPostgres | null> {
  try {
    const lines = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n');
    const url = urlFor(Number(lines[3]), password);
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    return watched(url, client, 'end', () => client.end(), dataDir);
  } catch {
    return null;
  }
}

async function startHost(
  databaseDir: string,
  password: string,
  options: EmbeddedPostgresOptions,
): Promise<RunningPostgres | null> {
  const port = await freePort();
  const logFile = logFileOf(options.dataDir);
  const hostFile = import.meta.url.replace(
    /embedded-postgres(\.[jt]s)$/,
    'embedded-postgres-host$1',
  );
  const hostOptions = { databaseDir, password, port, logFile, flags: options.settings ?? [] };
  const host = fork(fileURLToPath(hostFile), {
    // In a separate process group, Ctrl-C reaches only the service.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: { ...process.env, RINPATH_POSTGRES: JSON.stringify(hostOptions) },
  });
  const isReady = await new Promise<boolean>((resolve) => {
    host.once('message', () => resolve(true));
    host.once('exit', () => resolve(false));
  });
  if (!isReady) return null;
  return watched(urlFor(port, password), host, 'exit', () => stopHost(host), options.dataDir);
}

function watched(
  url: string,
  server: EventEmitter,
  endEvent: string,
  stop: () => Promise<void>,
  dataDir: string,
): RunningPostgres {
  let isStopped = false;
  const ended = new Promise<Error>((resolve) => {
    server.once(endEvent, () => {
      if (!isStopped) resolve(hasEnded(dataDir));
    });
  });
  const stopOnce = () => {
    isStopped = true;
    return stop();
  };
  return { url, ended, stop: stopOnce };
}

async function stopHost(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return;
  const ended = new Promise((resolve) => host.once('exit', resolve));
  // It may have ended in this moment.
  host.send('stop', () => undefined);
  await within(STOP_DEADLINE_MS, ended, () => undefined);
  host.kill('SIGKILL');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @throws Error with the next step */
export async function openDatabase(
  environment: Pick<Environment, 'databaseUrl' | 'dataDir'>,
): Promise<RunningPostgres> {
  const { databaseUrl, dataDir } = environment;
  if (databaseUrl !== undefined) {
    const ended = new Promise<Error>(() => undefined);
    return { url: databaseUrl, ended, stop: () => Promise.resolve() };
  }
  return startEmbeddedPostgres({ dataDir });
}
