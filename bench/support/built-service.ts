import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ALONE } from './alone.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);
/** `BENCH_DIST` selects another build: a file URL with a trailing slash. */
const DIST = new URL(process.env.BENCH_DIST ?? new URL('../../dist/', import.meta.url));
const READY_MS = 180_000;
const STOP_MS = 20_000;
/** No sealed value outlives the bench. */
export const MASTER_KEY = 'bench:dtW1krP5jouN9OnGxXX8udmjnEfegxoZF5IW4iDAxkU=';

/** A module of the built service, typed from the source. */
export async function built<Module>(path: string): Promise<Module> {
  const file = new URL(path, DIST);
  if (!existsSync(file)) throw new Error(`${file.pathname} is not there: run \`npm run build\``);
  return (await import(file.href)) as Module;
}

/** The flags of `npm start`. */
export function startFlags(): string[] {
  return startWords().filter((word) => word.startsWith('--'));
}

/** The variables of `npm start`. */
export function startVariables(): Record<string, string> {
  return Object.fromEntries(
    startWords().flatMap((word) => {
      const [, name = '', value = ''] = /^([A-Z_]+)=(\S+)$/.exec(word) ?? [];
      return name ? [[name, value]] : [];
    }),
  );
}

function startWords(): string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts.start?.split(' ') ?? [];
}

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly pid: number;
  /** Sends SIGTERM. Returns the exit code; null when the process had to be killed. */
  stop(): Promise<number | null>;
}

/**
 * Starts the built service on a database as a separate process, and waits until it is ready.
 * @param dist the build, with a trailing slash
 */
export async function startBuiltService(
  databaseUrl: string,
  variables: Record<string, string> = {},
  dist: URL = DIST,
): Promise<ServiceProcess> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const main = fileURLToPath(new URL('bundle/main.js', dist));
  const child = spawn(process.execPath, [...startFlags(), main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The folder with its configuration.
    cwd: fileURLToPath(new URL('..', dist)),
    env: {
      ...startVariables(),
      PATH: process.env.PATH,
      PORT: String(port),
      BASE_URL: baseUrl,
      DATABASE_URL: databaseUrl,
      MASTER_KEY,
      LOG_LEVEL: 'fatal',
      ...variables,
    },
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  await waitUntilReady(baseUrl, child);
  return {
    baseUrl,
    pid: child.pid ?? 0,
    stop: async () => {
      process.removeListener('exit', killAtExit);
      return stop(child);
    },
  };
}

async function waitUntilReady(baseUrl: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const answer = await fetch(`${baseUrl}/health/ready`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await sleep(20);
  }
  if (child.exitCode !== null) throw new Error(`the service ended at once: ${child.exitCode}`);
  child.kill('SIGKILL');
  throw new Error(`the service was not ready after ${READY_MS / 1_000} seconds. ${ALONE}`);
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([gone, sleep(STOP_MS, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await gone;
  return child.exitCode;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
