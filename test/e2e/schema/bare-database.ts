import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { Database } from '../../../src/platform/index.js';
import { sharedService } from '../../support/shared-service.js';

/** A schema of one spec in the shared database, which every connection of it uses. */
export interface BareDatabase {
  readonly database: Database;
  drop(): Promise<void>;
}

/** @param sql makes what the spec needs beside the service’s own tables */
export async function createBareDatabase(sql: string): Promise<BareDatabase> {
  const { databaseUrl, partnerId } = await sharedService();
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path="${partnerId}",public`);
  const options = dataSourceOptions({
    url: url.href,
    poolSize: 1,
    entities: [],
    migrations: [],
  });
  const dataSource = await new DataSource(options).initialize();
  const database = new Database(dataSource);
  await database.query(`CREATE SCHEMA "${partnerId}"`);
  await database.query(sql);
  return {
    database,
    drop: async () => {
      await database.query(`DROP SCHEMA "${partnerId}" CASCADE`);
      await database.onApplicationShutdown();
      await dataSource.destroy();
    },
  };
}
