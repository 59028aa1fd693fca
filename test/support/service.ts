import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { createApplication } from '../../src/create-application.js';
import { Clock, DuePoller, parseEnvironment } from '../../src/platform/index.js';
import { SandboxTime } from '../../src/sandbox/index.js';
import { databaseVariables } from './database-variables.ts';
import { freePort } from './free-port.js';
import { type KeyCredentials, sandboxCredentials } from './sandbox-credentials.js';
import { createTestDatabase } from './test-database.js';

export interface TestServiceOptions {
  databaseUrl?: string;
  environment?: Record<string, string>;
  configFile?: string;
  /** By default a free one. */
  port?: number;
}

export interface OwnService extends TestService {
  close(): Promise<void>;
}

export interface TestService {
  /** `http://127.0.0.1:<port>`, which is also the service's BASE_URL. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly app: INestApplication;
  get<Provider>(token: Type<Provider> | Function | string | symbol): Provider;
  now(): Date;
  travel(milliseconds: number): Promise<void>;
  readonly partnerId: string;
  readonly credentials: KeyCredentials;
}

export interface TwoReplicas {
  readonly first: OwnService;
  readonly second: OwnService;
  travel(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Shared, so that a test service can open what another sealed. */
export const TEST_MASTER_KEY = 'test:CEqa+7/8kRSyvSvv6TVOCy+W8pDeWbudcwdo+5qytzQ=';

const MAX_STARTS = 3;

/** Boots the application as `main` does and listens; migrations and configuration are applied. */
export async function startService(options: TestServiceOptions = {}): Promise<OwnService> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? database!.url;
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-service-'));
  const cleanUp = async () => {
    rmSync(dataDir, { recursive: true, force: true });
    await database?.drop();
  };
  try {
    const { app, baseUrl } = await listen({ ...options, databaseUrl }, dataDir);
    const close = once(async () => {
      try {
        await app.close();
      } finally {
        await cleanUp();
      }
    });
    const demo = { partnerId: 'demo', credentials: sandboxCredentials('demo', 'demo-load') };
    return { ...face(app), ...demo, baseUrl, databaseUrl, app, close };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

export async function startTwoReplicas(options: TestServiceOptions = {}): Promise<TwoReplicas> {
  const first = await startService(options);
  let second: OwnService;
  try {
    second = await startService({ ...options, databaseUrl: first.databaseUrl });
  } catch (error) {
    await first.close();
    throw error;
  }
  const travel = travelOfBoth(first, second);
  return {
    first: { ...first, travel },
    second: { ...second, travel },
    travel,
    // The first service owns the database, so it is closed last.
    close: async () => {
      try {
        await second.close();
      } finally {
        await first.close();
      }
    },
  };
}

/** Both replicas must adopt the new time: one with the old time would schedule its next attempts by it. */
export function travelOfBoth(first: TestService, second: TestService): TestService['travel'] {
  return async (milliseconds) => {
    await first.travel(milliseconds);
    await second.get(SandboxTime).follow();
  };
}

async function listen(
  options: TestServiceOptions,
  dataDir: string,
): Promise<{ app: INestApplication; baseUrl: string }> {
  for (let start = 1; ; start += 1) {
    // BASE_URL must be known before the application is built, so the port must be, too.
    const port = options.port ?? (await freePort());
    const baseUrl = `http://127.0.0.1:${port}`;
    const environment = parseEnvironment({
      MODE: 'sandbox',
      PORT: String(port),
      BASE_URL: baseUrl,
      ...databaseVariables(options.databaseUrl),
      DATABASE_POOL: '8',
      DATA_DIR: dataDir,
      CONFIG_FILE: options.configFile,
      MASTER_KEY: TEST_MASTER_KEY,
      // The lenders answer one after another, as usual, but faster.
      SANDBOX_LATENCY_PERCENT: '10',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      ...options.environment,
    });
    const app = await createApplication(environment);
    try {
      await app.listen(port, '127.0.0.1');
      return { app, baseUrl: environment.baseUrl };
    } catch (error) {
      await app.close();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || start === MAX_STARTS)
        throw error;
    }
  }
}

function face(app: INestApplication): Pick<TestService, 'get' | 'now' | 'travel'> {
  return {
    get: (token) => app.get(token, { strict: false }),
    now: () => app.get(Clock, { strict: false }).now(),
    travel: async (milliseconds) => {
      await app.get(SandboxTime, { strict: false }).travel(milliseconds);
      app.get(DuePoller, { strict: false }).lookNow();
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => (result ??= work());
}
