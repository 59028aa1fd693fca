// Isolated: a database whose connections are cut.
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { Database, isConnectionLost } from '../../../src/platform/index.js';
import { DyingServer } from '../../support/dying-server.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

// An error of a connection that nobody hears is an exception that nobody catches: it would end the
// process, and here it fails the run.
describe('a connection whose server ends ends nobody', () => {
  let testDatabase: TestDatabase;
  let server: DyingServer;
  let dataSource: DataSource;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
  });

  afterAll(() => testDatabase.drop());

  beforeEach(async () => {
    server = await DyingServer.before(testDatabase.url);
    const { url } = server;
    const options = dataSourceOptions({ url, poolSize: 1, entities: [], migrations: [] });
    dataSource = await new DataSource(options).initialize();
    database = new Database(dataSource);
  });

  afterEach(async () => {
    await database.onApplicationShutdown();
    await dataSource.destroy();
    await server.stop();
  });

  async function expectItGoesOn(): Promise<void> {
    expect(await database.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  }

  it('while it passes from a statement to a transaction that waits for it', async () => {
    server.endWithAnswer(1);
    const statement = database.query('SELECT 1 AS one');
    const transaction = database.transaction((tx) => tx.query('SELECT 1 AS one'));
    const failure = transaction.catch((error: unknown) => error);
    expect(await statement).toEqual([{ one: 1 }]);
    expect(isConnectionLost(await failure)).toBe(true);
    await expectItGoesOn();
  });

  it('while it is idle', async () => {
    server.endWithAnswer(1);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expectItGoesOn();
  });

  it('inside a transaction', async () => {
    const transaction = database.transaction(async (tx) => {
      server.endWithAnswer(1);
      await tx.query('SELECT 1');
      await tx.query('SELECT 1');
    });
    const failure = await transaction.catch((error: unknown) => error);
    expect(isConnectionLost(failure)).toBe(true);
    await expectItGoesOn();
  });

  // The first answer on a connection is to its start, the second one to the look at it.
  it.each([
    ['started', 1],
    ['looked at', 2],
  ])('while a new one is %s', async (_, answers) => {
    server.endWithAnswer(answers);
    const failure = await database.queryReserved('SELECT 1').catch((error: unknown) => error);
    expect(isConnectionLost(failure)).toBe(true);
    await expectItGoesOn();
  });
});
