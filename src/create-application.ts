import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import { ConfigurationApplier } from './admin/index.js';
import { ApiDocument } from './api-document/index.js';
import { documentMakers } from './document-makers.js';
import { AppModule } from './app.module.js';
import { PartnerAlertEmails } from './auth/index.js';
import { lenderAdapters } from './composition.js';
import { LOGGED_WORDS } from './known-words.js';
import {
  admitMasterKeys,
  bootLog,
  configureHttp,
  dataSourceOptions,
  type Environment,
  HttpAdapter,
  prepareDatabase,
  refuseLosses,
} from './platform/index.js';
import { refuseUnserved } from './refuse-unserved.js';
import { RequestRecorder } from './request-log/index.js';
import { SCHEMA } from './schema.js';

/** Applies migrations and, in the sandbox, the configuration file. */
export async function createApplication(environment: Environment): Promise<NestExpressApplication> {
  if (!environment.databaseUrl) throw new Error('DATABASE_URL is not set');
  const dataSource = new DataSource(
    dataSourceOptions({
      url: environment.databaseUrl,
      sessionUrl: environment.databaseSessionUrl,
      readUrl: environment.databaseReadUrl,
      keepsStatements: environment.databaseNamedStatements,
      poolSize: environment.databasePoolSize,
      ...SCHEMA,
    }),
  );
  await dataSource.initialize();
  try {
    const isProduction = environment.mode === 'production';
    const risks = isProduction
      ? await refuseLosses(dataSource, environment.databaseLossAccepted)
      : [];
    await prepareDatabase(dataSource, environment.mode, SCHEMA, {
      report: bootLog(environment, 'Migrations'),
      isNewerAllowed: environment.newerSchemaAllowed,
    });
    await admitMasterKeys(dataSource, environment.masterKeys, SCHEMA.sealedSamples);
    const app = await build(environment, dataSource);
    for (const risk of risks) app.get(Logger).warn(risk, 'Database');
    return app;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  }
}

async function build(
  environment: Environment,
  dataSource: DataSource,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.compose(environment, dataSource),
    new HttpAdapter(),
    // The body stays raw: it is parsed only after the guards.
    { bodyParser: false, bufferLogs: true, abortOnError: false },
  );
  app.useLogger(app.get(Logger));
  configureHttp(app, environment);
  app.use(app.get(RequestRecorder).watch(LOGGED_WORDS));
  app.get(ApiDocument).describe(documentMakers(app));
  const deployment = { ...environment, lenderAdapters: lenderAdapters(environment.mode) };
  if (environment.mode === 'sandbox') {
    await app.get(ConfigurationApplier).apply(environment.configFile, deployment);
  }
  await refuseUnserved(app, deployment);
  await warnOfMissingMail(app, environment);
  return app;
}

/** Only the service knows whether it has a mail server. */
export async function warnOfMissingMail(
  app: Pick<INestApplicationContext, 'get'>,
  { mail }: Pick<Environment, 'mail'>,
): Promise<void> {
  if (mail) return;
  const ids = await app.get(PartnerAlertEmails).partnersWithAddresses();
  if (ids.length === 0) return;
  app
    .get(Logger)
    .warn(`alertEmails of ${ids.join(', ')} get no mail: SMTP_URL is not set`, 'Configuration');
}
