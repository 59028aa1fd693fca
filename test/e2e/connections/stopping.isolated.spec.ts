// Isolated: stops and kills processes, and has a pooler before its database or other settings.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  dataSourceOptions,
  sessionConnection,
} from '../../../src/platform/database/data-source.js';
import { eventually } from '../../support/eventually.js';
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

const WHOLE = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
const HALF = 'GET /health/live HTTP/1.1\r\nHos';
const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;

/** A service as a process of its own, and the connections that its clients hold. */
class HeldService {
  readonly partner: PartnerClient;
  private readonly held: HeldConnection[] = [];

  private constructor(readonly process: SpawnedService) {
    this.partner = partnerClient(process);
  }

  static async start(databaseUrl: string, env: Record<string, string> = {}): Promise<HeldService> {
    return new HeldService(await spawnService({ databaseUrl, env }));
  }

  async hold(bytes = '', url = this.process.baseUrl): Promise<HeldConnection> {
    const connection = await HeldConnection.open(url, bytes);
    this.held.push(connection);
    return connection;
  }

  /** A client of each kind that keeps its connection and the service waiting. */
  async holdOfEachKind(): Promise<void> {
    await this.hold();
    await this.hold(HALF);
    await this.hold(`${signedHead('POST', INITIATE, { length: 1_000 })}{"half":`);
    await this.hold(
      `POST /hosted/link HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nmobile=`,
    );
    await (await this.hold(WHOLE)).answered(1);
    const deaf = (await this.hold()).readNothing();
    deaf.write(
      'GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(6),
    );
  }

  /** SIGTERM; answers the exit code and how long it took. */
  stop(): Promise<{ code: number | null; ms: number }> {
    const startedAt = performance.now();
    return this.process.stop().then((code) => ({ code, ms: performance.now() - startedAt }));
  }

  /** Until it takes no new connections. */
  async untilItRefuses(): Promise<void> {
    await eventually(() =>
      this.partner.get('/products').then(
        () => false,
        () => true,
      ),
    );
  }

  /** By the service's own metrics. */
  async openConnections(): Promise<number> {
    const answer = await fetch(`${this.process.baseUrl}/metrics`);
    return Number(/^http_connections (\d+)$/m.exec(await answer.text())?.[1]);
  }

  hangUp(): void {
    for (const connection of this.held.splice(0)) connection.hangUp();
  }

  async end(): Promise<void> {
    this.hangUp();
    await this.process.kill();
  }
}

/** Begins what mostly waits, beside the tests before the one that asks for its result. */
function begun<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = work();
  // A failure is seen where it is waited for.
  result.catch(() => undefined);
  return result;
}

const LOCK = 'LOCK TABLE journey_redirects IN EXCLUSIVE MODE';

/** SIGTERM while a request waits for a lock that is not released. */
async function stoppingInVain() {
  const database = await createTestDatabase();
  let service: HeldService | undefined;
  try {
    service = await HeldService.start(database.url);
    const { partner } = service;
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    const lock = await HeldLock.take(database.url, LOCK);
    const answer = act(partner, journey, 'SELECT_OFFER').catch(() => 'cut');
    await lock.waiting('journey_redirects');
    const ended = await service.stop();
    await lock.release();
    return { ...ended, answer: await answer };
  } finally {
    await service?.end();
    await database.drop();
  }
}

/** A service with a port for its operator, and a client there that sends half a header and no more. */
class OperatorsPort {
  private constructor(
    readonly service: HeldService,
    readonly url: string,
    /** What the client was answered before its connection was closed. */
    readonly halfAnswered: Promise<number[]>,
    private readonly database: TestDatabase,
  ) {}

  static async open(): Promise<OperatorsPort> {
    const database = await createTestDatabase();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await HeldService.start(database.url, { OPERATOR_PORT: String(port) });
    const half = await service.hold(HALF, url);
    const halfAnswered = begun(async () => {
      // Ten seconds, and up to five until it is looked.
      await half.untilClosed(25_000);
      return half.statuses;
    });
    return new OperatorsPort(service, url, halfAnswered, database);
  }

  async close(): Promise<void> {
    await this.service.end();
    await this.database.drop();
  }
}

const MAX_MS = 15_000;
let inVain: ReturnType<typeof stoppingInVain>;
let operator: OperatorsPort;

beforeAll(async () => {
  inVain = begun(stoppingInVain);
  operator = await OperatorsPort.open();
});

afterAll(async () => {
  await inVain.catch(() => undefined);
  await operator?.close();
});

describe('SIGTERM while clients hold connections on which they send or read nothing more', () => {
  let database: TestDatabase;
  let service: HeldService;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  beforeEach(async () => {
    service = await HeldService.start(database.url);
  });

  afterEach(() => service?.end());

  afterAll(() => database?.drop());

  it('ends the service with 0 in 15 s in the middle of a hundred of them, takes no new connections, and what is in flight is answered', async () => {
    const { partner } = service;
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    for (let i = 0; i < 20; i += 1) await service.holdOfEachKind();
    // Those whose time is over are not held on to.
    expect(await service.openConnections()).toBeGreaterThan(100);
    const late = await service.hold(`${signedHead('POST', INITIATE, { length: 2 })}{`);
    const lock = await HeldLock.take(database.url, LOCK);
    const answer = act(partner, journey, 'SELECT_OFFER');
    await lock.waiting('journey_redirects');
    const ended = service.stop();
    await service.untilItRefuses();
    await sleep(1_000);
    // Whoever was just sending has the time to.
    late.write('}');
    expect(await late.answered(1)).toEqual([401]);
    await lock.release();
    const { status, json } = await answer;
    expect([status, json.data.nextAction.type]).toEqual([200, 'REDIRECT_TO_KYC']);
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(MAX_MS);
    expect(service.process.output()).not.toMatch(/"level":[56]0/);
  });

  it('ends it at once on a second signal, a second later', async () => {
    await service.holdOfEachKind();
    const ended = service.stop();
    const { pid } = service.process;
    process.kill(pid, 'SIGTERM');
    // A signal counts as the second one a second after the first was heard.
    await service.untilItRefuses();
    await sleep(1_500);
    const startedAt = performance.now();
    process.kill(pid, 'SIGTERM');
    expect((await ended).code).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('SIGTERM while a request waits for what does not come', () => {
  it('ends it although a request in flight never comes to its end', async () => {
    const { code, ms, answer } = await inVain;
    expect(answer).toBe('cut');
    expect(code).toBe(1);
    expect(ms).toBeLessThan(MAX_MS);
  });
});

describe('the operator’s port', () => {
  const MAX_CONNECTIONS = 64;

  it('waits for a header as long as the public one, and then hangs up', async () => {
    expect(await operator.halfAnswered).toEqual([408]);
  });

  it('refuses an address that cannot be read in the envelope', async () => {
    const { service, url } = operator;
    const odd = await service.hold('GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n', url);
    expect(await odd.answered(1)).toEqual([400]);
    expect(odd.received).toContain('"success":false');
  });

  it('has a most of connections: the one that has been still for longest makes room', async () => {
    const { service, url } = operator;
    service.hangUp();
    const held: HeldConnection[] = [];
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) held.push(await service.hold('', url));
    const [first, second] = held;
    const next = await service.hold(WHOLE, url);
    expect(await next.answered(1)).toEqual([200]);
    await first.untilClosed(10_000);
    expect(second.isClosed).toBe(false);
  });

  // The last: the service is gone then.
  it('answers until callers have come to their end, and holds nothing up', async () => {
    const { service, url } = operator;
    service.hangUp();
    await service.hold();
    await service.hold(HALF, url);
    await (await service.hold(WHOLE, url)).answered(1);
    const ended = service.process.stop();
    // The public port goes first: it is still waiting for its silent client.
    await service.untilItRefuses();
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
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
