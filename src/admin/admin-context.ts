import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  Database,
  dataSourceOptions,
  type Environment,
  type Migrations,
  openDatabase,
  PlatformModule,
  prepareDatabase,
} from '../platform/index.js';
import { AdminModule } from './admin.module.js';

const POOL_SIZE = 2;

@Module({})
class AdminContextModule {}

/**
 * Runs one command on the service's own database, whether the service runs or not: the embedded
 * PostgreSQL is joined or started. The schema is brought up to date first, so that a production's
 * configuration can be applied before its first start.
 * @param migrations the composition root's
 * @param modules what the command needs of the service beyond the administration itself
 */
export async function withAdminContext<Result>(
  environment: Environment,
  migrations: Migrations,
  work: (context: INestApplicationContext) => Promise<Result>,
  modules: readonly Type[] = [],
): Promise<Result> {
  const database = await openDatabase(environment);
  try {
    const context = await createContext(environment, database.url, migrations, modules);
    try {
      await prepareDatabase(context.get(Database).dataSource, environment.mode);
      return await work(context);
    } finally {
      await context.close();
    }
  } finally {
    await database.stop();
  }
}

function createContext(
  environment: Environment,
  url: string,
  migrations: Migrations,
  modules: readonly Type[],
): Promise<INestApplicationContext> {
  const imports = [
    TypeOrmModule.forRoot({
      ...dataSourceOptions({ url, poolSize: POOL_SIZE, entities: [], migrations }),
      // An address that nobody answers at shall be told at once, not after ten tries.
      retryAttempts: 0,
    }),
    PlatformModule.forEnvironment(environment),
    AdminModule,
    ...modules,
  ];
  return NestFactory.createApplicationContext(
    { module: AdminContextModule, imports },
    { logger: false, abortOnError: false },
  );
}
