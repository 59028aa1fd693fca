// Isolated: starts processes: that is what it tests.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { partnerClient } from './partner-client.js';
import { spawnService } from './spawned-service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('is killed without a word, comes back on its port, and ends with 0 when told to stop', async () => {
  const first = await spawnService({ databaseUrl: database.url });
  expect((await partnerClient(first).get('/products')).status).toBe(200);
  await first.kill();
  const second = await spawnService({ databaseUrl: database.url, port: first.port });
  expect(second.pid).not.toBe(first.pid);
  expect((await partnerClient(second).get('/products')).status).toBe(200);
  expect(await second.stop()).toBe(0);
});

it('says what the process wrote when it does not become ready', async () => {
  const started = spawnService({ databaseUrl: database.url, env: { MODE: 'nonsense' } });
  await expect(started).rejects.toThrow('MODE must be "sandbox" or "production"');
});
