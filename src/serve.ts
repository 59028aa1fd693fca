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
import { sandboxWelcome } from './sandbox-welcome.js';

const CLOSE_MS = 13_000;
const DATABASE_STOP_MS = 1_500;
const SAME_SIGNAL_MS = 1_000;

/**
 * The service's process. The database is opened before everything else and stopped after it, so
 * that what is in flight can be finished when the process is told to stop.
 */
async function main(): Promise<void> {
  const environment = parseEnvironment(process.env, process.stdout.isTTY);
  const database = await openDatabase(environment);
  // Nothing can be answered without it; whoever looks after the process starts it again.
  void database.ended.then(fail);
  try {
    const app = await createApplication({ ...environment, databaseUrl: database.url });
    stopOnSignals(app, () => database.stop());
    await listen(app, environment);
    process.stdout.write(sandboxWelcome(environment));
    // A process manager that started it over a channel is told when it takes requests.
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
 * Ends with 0 when everything in flight was finished, and within 15 seconds whatever happens: what is
 * left by then is safe to lose, as by a crash. A second signal ends it now. It must come a second
 * later, since a terminal's Ctrl-C under npm comes twice at once.
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
    // An embedded server that takes longer ends by itself.
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
  process.stderr.write(`${databaseProblem(error) ?? messageOf(error)}\n`);
  process.exit(1);
}

main().catch(fail);
