// Isolated: has a pooler before its database.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveTo, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { run } from '../../support/standby.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TransactionPooler } from '../../support/transaction-pooler.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

// The long form, with PgBouncer itself, is `npm run test:pooler`.
describe('behind a pooler that gives each transaction another connection', () => {
  let database: TestDatabase;
  let pooler: TransactionPooler;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await TransactionPooler.before(database.url);
  });

  afterAll(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  function start(variables: Record<string, string> = {}): Promise<OwnService> {
    return startService({
      databaseUrl: pooler.url,
      environment: {
        DATABASE_SESSION_URL: database.url,
        DATABASE_NAMED_STATEMENTS: 'false',
        ...variables,
      },
    });
  }

  /** Roles are the whole server's: it is this database alone in which this one has them. */
  async function setting(name: string, value: string): Promise<void> {
    const { username, pathname } = new URL(database.url);
    const what = `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} SET ${name} = ${value}`;
    await run(database.url, what);
  }

  it('a session differs from one transaction to the next, which the test relies on', async () => {
    const clients = await Promise.all(
      [1, 2].map(async () => {
        const client = new Client({ connectionString: pooler.url });
        await client.connect();
        return client;
      }),
    );
    const [first, second] = clients;
    const pidOf = async () => {
      const { rows } = await first.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return rows[0].pid;
    };
    const before = await pidOf();
    // The one that has been free for longest, which is the first client's: it is in use now.
    await second.query('BEGIN');
    const pids = new Set([before, await pidOf(), await pidOf()]);
    await Promise.all(clients.map((client) => client.end()));
    expect(pids.size).toBeGreaterThan(1);
  });

  it('the service does not start while connections lack settings, and says what to run', async () => {
    // Where this runs behind PgBouncer, the role has them in every other database.
    await setting('statement_timeout', '0');
    await setting('idle_in_transaction_session_timeout', '0');
    await setting('jit', 'on');
    await pooler.stop();
    pooler = await TransactionPooler.before(database.url);
    await expect(start()).rejects.toThrow(
      /ALTER ROLE \w+ SET idle_in_transaction_session_timeout = 15000; ALTER ROLE \w+ SET jit = off; ALTER ROLE \w+ SET statement_timeout = 15000;/,
    );
  });

  it('a journey comes to its end, and its partner hears of it through another replica', async () => {
    await setting('statement_timeout', '15000');
    await setting('idle_in_transaction_session_timeout', '15000');
    await setting('jit', 'off');
    await pooler.stop();
    pooler = await TransactionPooler.before(database.url);
    const receiver = await WebhookReceiver.start();
    const replicas = [await start(), await start()];
    try {
      const [first, second] = replicas.map((replica) => partnerClient(replica));
      await second.post('/webhooks', { url: receiver.url() });
      const journey = await startJourney(first);
      await driveTo(first, journey, 'SANCTIONED');
      const { sequence } = (await receiver.waitForEvent('journey.completed')).json();
      expect(sequence).toBe(7);
      expect(pooler.changes).toBeGreaterThan(50);
    } finally {
      for (const replica of replicas) await replica.close();
      await receiver.stop();
    }
  });
});
