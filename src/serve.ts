import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from './create-application.js';
import {
  databaseProblem,
  type Environment,
  messageOf,
  openDatabase,
  parseEnvironment,
  within,
} from './platform/index.js';
import { demonstrationKey } from './settings/index.js';

const CLOSE_MS = 13_000;
const DATABASE_STOP_MS = 1_500;
const SAME_SIGNAL_MS = 1_000;

/** Opens the database first and stops it last, so that work in progress can finish. */
async function main(): Promise<void> {
  const environment = parseEnvironment(process.env, process.stdout.isTTY);
  const database = await openDatabase(environment);
  // The process manager restarts the service.
  void database.ended.then(fail);
  try {
    const app = await createApplication({ ...environment, databaseUrl: database.url });
    stopOnSignals(app, () => database.stop());
    await listen(app, environment);
    process.stdout.write(sandboxWelcome(environment));
    // For a process manager with an IPC channel.
    process.send?.('ready');
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function listen(app: NestExpressApplication, environment: Environment): Promise<void> {
  if (environment.host) await app.listen(environment.port, environment.host);
  else await app.listen(environment.port);
}

/**
 * Exits within 15 s, with 0 when all work finished; unfinished work is safe to lose. A second
 * signal after a second exits at once: under npm, Ctrl-C sends two.
 */
function stopOnSignals(app: NestExpressApplication, stopDatabase: () => Promise<void>): void {
  const hurry = new AbortController();
  let signalledAt: number | undefined;
  const stop = async () => {
    const closed = app.close().then(
      () => true,
      () => false,
    );
    const late = sleep(CLOSE_MS, false, { signal: hurry.signal }).catch(() => false);
    const isClean = await Promise.race([closed, late]);
    // Does not wait longer for the embedded server, which then stops on its own.
    await within(DATABASE_STOP_MS, stopDatabase(), () => undefined);
    process.exit(isClean ? 0 : 1);
  };
  const onSignal = () => {
    if (signalledAt === undefined) {
      signalledAt = performance.now();
      void stop();
    } else if (performance.now() - signalledAt > SAME_SIGNAL_MS) hurry.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

function fail(error: unknown): void {
  process.stderr.write(`Error: ${databaseProblem(error) ?? messageOf(error)}\n`);
  process.exit(1);
}

main().catch(fail);

function sandboxWelcome(environment: Environment): string {
  const lines = [`OK: Rinpath is ready at ${environment.baseUrl} (${environment.mode})`];
  if (environment.mode === 'sandbox' && environment.isLoopback) {
    const key = demonstrationKey(environment.configFile);
    if (key)
      lines.push(
        `Demonstration key: ${key.apiKey} (its secret is in ${relative('.', environment.configFile)})`,
      );
    lines.push(`Quick start: ${environment.baseUrl}/docs/quick-start`);
    lines.push('In a second terminal: npm run demo');
  }
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`;
}
