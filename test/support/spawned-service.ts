import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtService } from './built-service.js';
import { databaseVariables } from './database-variables.ts';
import { freePort } from './free-port.js';
import { TEST_MASTER_KEY } from './service.js';

export interface SpawnOptions {
  databaseUrl: string;
  env?: Record<string, string>;
  port?: number;
}

export interface SpawnedService {
  readonly baseUrl: string;
  readonly port: number;
  readonly pid: number;
  output(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** @throws Error if a signal ended it, or after 20 s */
  stop(): Promise<number | null>;
}

const READY_MS = 80_000;
const STOP_MS = 20_000;
/** Characters: a stack trace, and the output before it. */
const LAST_WORDS = 8_000;

/**
 * A module that ends a process together with its parent, even if the parent is killed. So a test that fails leaves
 * nothing behind.
 */
const END_WITH_US = `data:text/javascript,process.once('disconnect', () => process.exit(1)); process.channel?.unref();`;

/** @throws Error with the process's output if it is not ready in time */
export async function spawnService(options: SpawnOptions): Promise<SpawnedService> {
  const mainFile = await builtService();
  const port = options.port ?? (await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-spawned-'));
  const child = spawn(process.execPath, ['--import', END_WITH_US, mainFile], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      MODE: 'sandbox',
      PORT: String(port),
      BASE_URL: baseUrl,
      ...databaseVariables(options.databaseUrl),
      DATA_DIR: dataDir,
      MASTER_KEY: TEST_MASTER_KEY,
      LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const output = () => Buffer.concat(chunks).toString('utf8');
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => rmSync(dataDir, { recursive: true, force: true }));
  await waitUntilReady(child, output);
  let isStopping = false;
  child.once('close', (code, signal) => {
    if (isStopping || code === 0) return;
    const lastWords = output().slice(-LAST_WORDS);
    console.error(`The service ended unexpectedly, by ${signal ?? code}. It wrote:\n${lastWords}`);
  });
  return {
    baseUrl,
    port,
    pid: child.pid!,
    output,
    kill: async (signal = 'SIGKILL') => {
      isStopping = true;
      child.kill(signal);
      await ended;
    },
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      const inTime = await Promise.race([ended.then(() => true), sleep(STOP_MS, false)]);
      if (inTime && child.signalCode === null) return child.exitCode;
      if (inTime) throw new Error(`The service was ended by ${child.signalCode}:\n${output()}`);
      child.kill('SIGKILL');
      throw new Error(`The service did not stop within ${STOP_MS} ms:\n${output()}`);
    },
  };
}

/** Reads the process's own output, because another service might answer on its port. */
async function waitUntilReady(child: ChildProcess, output: () => string): Promise<void> {
  const settled = new AbortController();
  const isReady = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'close').then(() => false),
    sleep(READY_MS, false, { signal: settled.signal }),
  ]);
  settled.abort();
  if (isReady) return;
  child.kill('SIGKILL');
  throw new Error(`The service did not become ready:\n${output()}`);
}
