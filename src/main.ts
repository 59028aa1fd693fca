import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from './create-application.js';
import { type Environment, openDatabase, parseEnvironment } from './platform/index.js';
import { sandboxWelcome } from './sandbox-welcome.js';

/**
 * The service's process. The database is opened before everything else and stopped after it, so
 * that what is in flight can be finished when the process is told to stop.
 */
async function main(): Promise<void> {
  const environment = parseEnvironment(process.env);
  const database = await openDatabase(environment);
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

/** Ends with 0 when everything in flight was finished; a second signal changes nothing. */
function stopOnSignals(app: NestExpressApplication, stopDatabase: () => Promise<void>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    const isClean = await app.close().then(
      () => true,
      () => false,
    );
    await stopDatabase();
    process.exit(isClean ? 0 : 1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
