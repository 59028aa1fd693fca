import type { INestApplicationContext } from '@nestjs/common';
import { built, MASTER_KEY } from './built-service.ts';

type Platform = typeof import('../../src/platform/index.js');
type Creation = typeof import('../../src/create-application.js');

/** The service assembled in this process but not started: no background work runs. */
export interface ServiceParts {
  get<Part>(part: abstract new (...parameters: never[]) => Part): Part;
  close(): Promise<void>;
}

/** Assembles the built service on a database, and migrates the schema. */
export async function serviceParts(databaseUrl: string): Promise<ServiceParts> {
  const { parseEnvironment } = await built<Platform>('src/platform/index.js');
  const { createApplication } = await built<Creation>('src/create-application.js');
  const environment = parseEnvironment({
    DATABASE_URL: databaseUrl,
    MASTER_KEY,
    LOG_LEVEL: 'fatal',
    NODE_ENV: 'production',
  });
  const app: INestApplicationContext = await createApplication(environment);
  return {
    get: (part) => app.get(part, { strict: false }),
    close: () => app.close(),
  };
}
