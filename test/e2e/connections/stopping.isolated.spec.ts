// Isolated: stops and kills processes, and has a pooler before its database or other settings.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  dataSourceOptions,
  sessionConnection,
} from '../../../src/platform/database/data-source.js';
import { freePort } from '../../support/free-port.js';
import { HeldConnection } from '../../support/held-connection.js';
import { HeldLock } from '../../support/held-lock.js';
import { act, driveTo, journeyIn, startJourney } from '../../support/journey-driver.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { run } from '../../support/standby.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TransactionPooler } from '../../support/transaction-pooler.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { signedHead } from './signed-head.js';

// Each of these starts a process.
vi.setConfig({ testTimeout: 90_000 });

describe('SIGTERM while clients hold connections on which they send or read nothing more', () => {
  const MAX_MS = 15_000;
  const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
  let database: TestDatabase;
  let service: SpawnedService;
  let partner: PartnerClient;
  let held: HeldConnection[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  beforeEach(async () => {
    service = await spawnService({ databaseUrl: database.url });
    partner = partnerClient(service);
    held = [];
  });

  afterEach(async () => {
    for (const connection of held) connection.hangUp();
    await service?.kill();
  });

  afterAll(() => database?.drop());

  async function hold(bytes = ''): Promise<HeldConnection> {
    const connection = await HeldConnection.open(service.baseUrl, bytes);
    held.push(connection);
    return connection;
  }

  /** A client of each kind that keeps its connection and the service waiting. */
  async function holdOfEachKind(): Promise<void> {
    const whole = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
    await hold();
    await hold('GET /health/live HTTP/1.1\r\nHos');
    await hold(`${signedHead('POST', INITIATE, { length: 1_000 })}{"half":`);
    await hold(
      `POST /hosted/link HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nmobile=`,
    );
    await (await hold(whole)).answered(1);
    const deaf = (await hold()).readNothing();
    deaf.write(
      'GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16),
    );
  }

  /** SIGTERM; answers the exit code and how long it took. */
  function stopping(): Promise<{ code: number | null; ms: number }> {
    const startedAt = performance.now();
    return service.stop().then((code) => ({ code, ms: performance.now() - startedAt }));
  }

  /** By the service's own metrics. */
  async function openConnections(): Promise<number> {
    const answer = await fetch(`${service.baseUrl}/metrics`);
    return Number(/^http_connections (\d+)$/m.exec(await answer.text())?.[1]);
  }

  it('ends the service with 0 in 15 s, and what is in flight is answered', async () => {
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    await holdOfEachKind();
    const late = await hold(`${signedHead('POST', INITIATE, { length: 2 })}{`);
    const lock = await HeldLock.take(
      database.url,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const answer = act(partner, journey, 'SELECT_OFFER');
    await lock.waiting('journey_redirects');
    const ended = stopping();
    await sleep(1_500);
    // Whoever was just sending has the time to.
    late.write('}');
    expect(await late.answered(1)).toEqual([401]);
    await lock.release();
    const { status, json } = await answer;
    expect([status, json.data.nextAction.type]).toEqual([200, 'REDIRECT_TO_KYC']);
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(MAX_MS);
    expect(service.output()).not.toMatch(/"level":[56]0/);
  });

  it('ends it although a request in flight never comes to its end', async () => {
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    const lock = await HeldLock.take(
      database.url,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const answer = act(partner, journey, 'SELECT_OFFER').catch(() => 'cut');
    await lock.waiting('journey_redirects');
    const { code, ms } = await stopping();
    await lock.release();
    expect(await answer).toBe('cut');
    expect(code).toBe(1);
    expect(ms).toBeLessThan(MAX_MS);
  });

  it('ends it at once on a second signal, a second later', async () => {
    await holdOfEachKind();
    const ended = stopping();
    process.kill(service.pid, 'SIGTERM');
    // A signal counts as the second one a second after the first was heard.
    await expect.poll(() => partner.get('/products').catch(() => 'refused')).toBe('refused');
    await sleep(1_500);
    const startedAt = performance.now();
    process.kill(service.pid, 'SIGTERM');
    expect((await ended).code).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('ends it in the middle of hundreds of them, beside whom a good caller was answered', async () => {
    for (let i = 0; i < 40; i += 1) await holdOfEachKind();
    // Those whose time is over are not held on to.
    expect(await openConnections()).toBeGreaterThan(100);
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    expect((await act(partner, journey, 'SELECT_OFFER')).status).toBe(200);
    const { code, ms } = await stopping();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(MAX_MS);
  });

  it('takes no new connections', async () => {
    await holdOfEachKind();
    const ended = stopping();
    await expect.poll(() => partner.get('/products').catch(() => 'refused')).toBe('refused');
    expect((await ended).code).toBe(0);
  });
});

describe('the operator’s port', () => {
  const WHOLE = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const MAX_CONNECTIONS = 64;
  let database: TestDatabase;
  let service: SpawnedService;
  let operator: string;
  let held: HeldConnection[];

  beforeEach(async () => {
    held = [];
    database = await createTestDatabase();
    const port = await freePort();
    operator = `http://127.0.0.1:${port}`;
    service = await spawnService({
      databaseUrl: database.url,
      env: { OPERATOR_PORT: String(port) },
    });
  });

  afterEach(async () => {
    for (const connection of held) connection.hangUp();
    await service?.kill();
    await database?.drop();
  });

  async function hold(bytes = '', url = operator): Promise<HeldConnection> {
    const connection = await HeldConnection.open(url, bytes);
    held.push(connection);
    return connection;
  }

  it('waits for a header as long as the public one, and then hangs up', async () => {
    const half = await hold('GET /health/live HTTP/1.1\r\nHos');
    // Ten seconds, and up to five until it is looked.
    await half.untilClosed(25_000);
    expect(half.statuses).toEqual([408]);
  });

  it('has a most of connections: the one that has been still for longest makes room', async () => {
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) await hold();
    const [first, second] = held;
    const next = await hold(WHOLE);
    expect(await next.answered(1)).toEqual([200]);
    await first.untilClosed(10_000);
    expect(second.isClosed).toBe(false);
  });

  it('refuses an address that cannot be read in the envelope', async () => {
    const odd = await hold('GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await odd.answered(1)).toEqual([400]);
    expect(odd.received).toContain('"success":false');
  });

  it('answers until callers have come to their end, and holds nothing up', async () => {
    await hold('', service.baseUrl);
    await hold('GET /health/live HTTP/1.1\r\nHos');
    await (await hold(WHOLE)).answered(1);
    const ended = service.stop();
    // The public port goes first: it is still waiting for its silent client.
    await expect
      .poll(() =>
        fetch(service.baseUrl).then(
          () => '',
          () => 'refused',
        ),
      )
      .toBe('refused');
    expect((await fetch(`${operator}/metrics`)).status).toBe(200);
    expect(await ended).toBe(0);
  });
});

describe('connections to the database', () => {
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
});
