import { Client, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writableWithin } from '../../../src/platform/database/assert-writable.js';
import { isConnectionLost } from '../../../src/platform/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function connected(): Promise<Client & { connection: { stream: { destroy(): void } } }> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/** What a pool is told of a new connection. */
function checked(client: Client): Promise<Error | undefined> {
  return new Promise((resolve) => writableWithin(5_000)(client as unknown as PoolClient, resolve));
}

it('a connection that breaks while it is looked at is refused, and ends nobody', async () => {
  const client = await connected();
  const result = checked(client);
  client.connection.stream.destroy();
  // Without a listener its break would be an exception that nobody catches.
  const error = await result;
  expect(isConnectionLost(error)).toBe(true);
  expect(client.listenerCount('error')).toBe(0);
});

it('a good one is passed on as it came', async () => {
  const client = await connected();
  expect(await checked(client)).toBeUndefined();
  expect(client.listenerCount('error')).toBe(0);
  await client.end();
});
