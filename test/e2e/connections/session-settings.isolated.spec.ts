// Isolated: changes the settings of its database.
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dataSourceOptions,
  sessionConnection,
} from '../../../src/platform/database/data-source.js';
import { run } from '../../support/standby.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const SHOWN = `
  SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit
`;
const WANTED = { statement: '15s', idle: '15s', jit: 'off' };

describe('a connection to a database that compiles statements and has no limits', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    for (const setting of ['statement_timeout = 0', 'jit = on']) {
      await run(database.url, `ALTER DATABASE ${name} SET ${setting}`);
    }
    dataSource = new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 1, entities: [], migrations: [] }),
    );
    await dataSource.initialize();
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  it('compiles nothing and has limits, in the pool of calls', async () => {
    expect(await dataSource.query(SHOWN)).toEqual([WANTED]);
  });

  it('compiles nothing and has limits, in a pool beside it', async () => {
    const client = new Client(sessionConnection(dataSource));
    await client.connect();
    const { rows } = await client.query(SHOWN);
    await client.end();
    expect(rows).toEqual([WANTED]);
  });
});
