import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { Database } from '../../../src/platform/index.js';
import { createTestDatabase } from '../../support/test-database.js';

/** A database of one spec, on one connection. */
export interface BareDatabase {
  readonly database: Database;
  drop(): Promise<void>;
}

/** @param sql makes what the spec needs beside the service’s own tables */
export async function createBareDatabase(sql: string): Promise<BareDatabase> {
  const made = await createTestDatabase();
  const { url } = made;
  const options = dataSourceOptions({ url, poolSize: 1, entities: [], migrations: [] });
  const dataSource = await new DataSource(options).initialize();
  const database = new Database(dataSource);
  await database.query(sql);
  return {
    database,
    drop: async () => {
      await database.onApplicationShutdown();
      await dataSource.destroy();
      await made.drop();
    },
  };
}
