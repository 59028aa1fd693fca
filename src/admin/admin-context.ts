import {
  type DynamicModule,
  type INestApplicationContext,
  Module,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessRecordsModule } from '../auth/index.js';
import { JourneyFeesRepository, JourneysRepository } from '../journeys/index.js';
import { OperatorFlagsModule } from '../operator-flags/index.js';
import { PaymentAccountsModule } from '../payments/index.js';
import {
  admitMasterKeys,
  Database,
  dataSourceOptions,
  type Environment,
  missingMigrations,
  openDatabase,
  PlatformModule,
  prepareDatabase,
  type Schema,
  verifyMasterKeys,
} from '../platform/index.js';
import { SettingsModule } from '../settings/index.js';
import { EventsModule } from '../webhooks/index.js';
import { ConfigurationApplier } from './configuration-applier.js';
import { FileKeysWriter } from './file-keys-writer.js';
import { KeyAdministration, NewKeys, PartnerAdministration } from './key-administration.js';
import { PaymentAccountChanges } from './payment-account-changes.js';
import { Refusal } from './refusal.js';
import { ConfigurationReader, ConfigurationWriter, LendersWriter } from './stored-configuration.js';

const EXPORTS = [ConfigurationApplier, KeyAdministration, PartnerAdministration];

@Module({
  imports: [AccessRecordsModule, EventsModule, PaymentAccountsModule],
  providers: [
    ...EXPORTS,
    ConfigurationReader,
    ConfigurationWriter,
    LendersWriter,
    FileKeysWriter,
    NewKeys,
    PaymentAccountChanges,
    JourneyFeesRepository,
    JourneysRepository,
  ],
  exports: EXPORTS,
})
export class AdminModule {}

const POOL_SIZE = 2;

@Module({})
class AdminContextModule {}

export type CommandModule = Type | DynamicModule;

interface AdminWork<Result> {
  /**
   * CHANGES migrates the schema first: a configuration may precede the first start. READS and NOTES refuse an old
   * schema: a migration would break running replicas.
   */
  readonly kind: 'CHANGES' | 'NOTES' | 'READS';
  readonly work: (context: INestApplicationContext) => Promise<Result>;
  readonly modules?: readonly CommandModule[];
  /** Receives a line for each migration. */
  readonly report?: (line: string) => void;
}

/**
 * @throws Refusal when the schema is old and the command does not migrate
 * @throws OtherSchemaError for another release's migrations
 */
export async function withAdminContext<Result>(
  environment: Environment,
  schema: Schema,
  { kind, work, modules = [], report = () => undefined }: AdminWork<Result>,
): Promise<Result> {
  const database = await openDatabase(environment);
  try {
    // A session for a long lock or migration, so not through a pooler.
    const url = environment.databaseSessionUrl ?? database.url;
    const source = { ...schema, url, readsOnly: kind === 'READS' };
    const context = await createContext(environment, source, modules);
    try {
      const { dataSource } = context.get(Database);
      const { mode, newerSchemaAllowed: isNewerAllowed } = environment;
      if (kind === 'CHANGES') {
        await prepareDatabase(dataSource, mode, schema, { report, isNewerAllowed });
      } else {
        refuseLag(await missingMigrations(dataSource, mode, schema.functions, isNewerAllowed));
      }
      const checkKeys = kind === 'READS' ? verifyMasterKeys : admitMasterKeys;
      await checkKeys(dataSource, environment.masterKeys, schema.sealedSamples);
      return await work(context);
    } finally {
      await context.close();
    }
  } finally {
    await database.stop();
  }
}

function refuseLag(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const what = missing.length === 1 ? 'the migration' : `${missing.length} migrations:`;
  throw new Refusal(
    `The database schema is outdated: it lacks ${what} ${missing.join(', ')}. This command does not ` +
      'migrate it. Start this release, or run a command that changes something.',
  );
}

function createContext(
  environment: Environment,
  source: Schema & { url: string; readsOnly: boolean },
  modules: readonly CommandModule[],
): Promise<INestApplicationContext> {
  const imports = [
    TypeOrmModule.forRoot({
      ...dataSourceOptions({ ...source, poolSize: POOL_SIZE }),
      // Fail at once.
      retryAttempts: 0,
    }),
    PlatformModule.forEnvironment(environment),
    SettingsModule,
    OperatorFlagsModule,
    AdminModule,
    ...modules,
  ];
  return NestFactory.createApplicationContext(
    { module: AdminContextModule, imports },
    { logger: false, abortOnError: false },
  );
}
