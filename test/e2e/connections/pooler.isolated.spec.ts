// Isolated: has a pooler before its database, or a database with other settings.
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  dataSourceOptions,
  sessionConnection,
} from '../../../src/platform/database/data-source.js';
import { driveTo, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { run } from '../../support/standby.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TransactionPooler } from '../../support/transaction-pooler.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

// The long form, with PgBouncer itself, is `npm run test:pooler`.

let database: TestDatabase;
let pooler: TransactionPooler | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await pooler?.stop();
  await database?.drop();
});

async function poolerWith(settings: Record<string, string>): Promise<TransactionPooler> {
  const { username, pathname } = new URL(database.url);
  for (const [name, value] of Object.entries(settings)) {
    const role = `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)}`;
    await run(database.url, `${role} SET ${name} = ${value}`);
  }
  await pooler?.stop();
  pooler = await TransactionPooler.before(database.url);
  return pooler;
}

function start(): Promise<OwnService> {
  const environment = { DATABASE_SESSION_URL: database.url, DATABASE_NAMED_STATEMENTS: 'false' };
  return startService({ databaseUrl: pooler!.url, environment });
}

it('a connection has limits and compiles nothing, in the pool of calls and beside it, whatever the database has', async () => {
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of ['statement_timeout = 0', 'jit = on']) {
    await run(database.url, `ALTER DATABASE ${name} SET ${setting}`);
  }
  const options = { url: database.url, poolSize: 1, entities: [], migrations: [] };
  const dataSource = await new DataSource(dataSourceOptions(options)).initialize();
  const client = new Client(sessionConnection(dataSource));
  await client.connect();
  const shown = `SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit`;
  const wanted = [{ statement: '15s', idle: '15s', jit: 'off' }];
  expect(await dataSource.query(shown)).toEqual(wanted);
  expect((await client.query(shown)).rows).toEqual(wanted);
  await client.end();
  await dataSource.destroy();
});

it('behind a pooler the service does not start while connections lack settings, and says what to run', async () => {
  const none = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', jit: 'on' };
  await poolerWith(none);
  await expect(start()).rejects.toThrow(
    /ALTER ROLE \w+ SET idle_in_transaction_session_timeout = 15000; ALTER ROLE \w+ SET jit = off; ALTER ROLE \w+ SET statement_timeout = 15000;/,
  );
});

it('a journey comes to its end behind a pooler, and its partner hears of it through another replica', async () => {
  const right = {
    statement_timeout: '15000',
    idle_in_transaction_session_timeout: '15000',
    jit: 'off',
  };
  const { changes } = await poolerWith(right);
  const receiver = await WebhookReceiver.start();
  const replicas = [await start(), await start()];
  try {
    const [first, second] = replicas.map((replica) => partnerClient(replica));
    await second.post('/webhooks', { url: receiver.url() });
    await driveTo(first, await startJourney(first), 'SANCTIONED');
    expect((await receiver.waitForEvent('journey.completed')).json().sequence).toBe(7);
    // Without a pooler, each transaction would have the same connection.
    expect(pooler!.changes - changes).toBeGreaterThan(50);
  } finally {
    for (const replica of replicas) await replica.close();
    await receiver.stop();
  }
});
