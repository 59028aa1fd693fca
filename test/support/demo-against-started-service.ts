/**
 * The check that a new user's first steps work: starts the built service as they would (no
 * database of their own, no configuration), runs the demonstration partner against it, and stops
 * it. Run by plain `node`; exits with the demonstration's code, or 1 when the service failed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const READY_MS = 60_000;
const DEMO_MS = 180_000;
const STOP_MS = 20_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SERVICE = join(ROOT, 'dist/src/main.js');
const DEMO = join(ROOT, 'examples/partner/main.ts');

/** What a new user's shell has: none of the service's own variables. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  server.close();
  await once(server, 'close');
  return address.port;
}

function startService(port: number, dataDir: string, log: string[]): ChildProcess {
  const service = spawn(process.execPath, ['--enable-source-maps', SERVICE], {
    cwd: ROOT,
    env: { ...plainEnvironment(), PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => log.push(chunk.toString('utf8')));
  }
  return service;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function waitUntilReady(baseUrl: string, service: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    if (hasEnded(service)) throw new Error('the service ended while it was starting');
    try {
      const answer = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) });
      await answer.body?.cancel();
      if (answer.status === 200) return;
    } catch {
      // Not listening yet.
    }
    await sleep(200);
  }
  throw new Error(`the service was not ready within ${READY_MS / 1000} s`);
}

/** Answers the demonstration's exit code. */
async function runDemo(baseUrl: string): Promise<number> {
  const demo = spawn(process.execPath, [DEMO], {
    cwd: ROOT,
    env: { ...plainEnvironment(), RINPATH_BASE_URL: baseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const timer = setTimeout(() => demo.kill('SIGKILL'), DEMO_MS);
  await once(demo, 'exit');
  clearTimeout(timer);
  if (demo.exitCode === null) console.error(`The demonstration was ended: ${demo.signalCode}`);
  return demo.exitCode ?? 1;
}

/** @throws Error when the service does not exit with 0 in time */
async function stopService(service: ChildProcess): Promise<void> {
  if (hasEnded(service)) throw new Error('the service ended while the demonstration ran');
  const startedAt = performance.now();
  service.kill('SIGTERM');
  await Promise.race([once(service, 'exit'), sleep(STOP_MS, undefined, { ref: false })]);
  if (!hasEnded(service)) {
    throw new Error(`the service did not stop within ${STOP_MS / 1000} s of SIGTERM`);
  }
  if (service.exitCode !== 0) {
    throw new Error(`the service ended with ${service.exitCode ?? service.signalCode} on SIGTERM`);
  }
  console.log(`The service stopped in ${Math.round(performance.now() - startedAt)} ms.`);
}

async function main(): Promise<number> {
  if (!existsSync(SERVICE)) throw new Error(`${SERVICE} is not there: run \`npm run build\` first`);
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-demo-'));
  // Under root PostgreSQL runs as the user postgres, who must get in.
  chmodSync(dataDir, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const service = startService(port, dataDir, log);
  const baseUrl = `http://localhost:${port}`;
  try {
    await waitUntilReady(baseUrl, service);
    const code = await runDemo(baseUrl);
    await stopService(service);
    if (code !== 0) console.error(`\nWhat the service wrote:\n${log.join('')}`);
    return code;
  } catch (error) {
    console.error(`\nWhat the service wrote:\n${log.join('')}`);
    throw error;
  } finally {
    if (!hasEnded(service)) {
      const gone = once(service, 'exit');
      service.kill('SIGKILL');
      await gone;
    }
    // The embedded PostgreSQL goes a moment after a service that was killed.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
