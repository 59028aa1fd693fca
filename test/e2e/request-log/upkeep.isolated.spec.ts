// Isolated: removes calls and kept answers of every partner.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database, IdGenerator } from '../../../src/platform/index.js';
import type { ArrivedRequest } from '../../../src/request-log/store/partner-requests.repository.js';
import { RequestLogWriter } from '../../../src/request-log/request-log-writer.js';
import { RequestLogTasks } from '../../../src/request-log/request-log.module.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { Schedule } from '../../support/schedule.js';
import {
  type OwnService,
  startService,
  startTwoReplicas,
  type TestService,
  type TwoReplicas,
} from '../../support/service.js';
import { createTestDatabase } from '../../support/test-database.js';
import { clientOf, issueKey, type TestKey } from '../auth/auth-harness.js';
import { logged, logOf, makeRows, named } from './request-log-bench.js';

const DAY_MS = 86_400_000;

const MINUTES_A_DAY = 1_440;

let replicas: TwoReplicas;

let service: TestService;

let key: TestKey;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  service = replicas.first;
  key = await issueKey(service);
});

afterAll(() => replicas.close());

/** The days that have a table, as `20261123`, the earliest first. */
async function days(): Promise<string[]> {
  const rows = await service.get<Database>(Database).query<{ name: string }>(
    `SELECT right(inhrelid::regclass::text, 8) AS name FROM pg_inherits
     WHERE inhparent = 'partner_requests'::regclass
       AND inhrelid <> 'partner_requests_rest'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** How many calls have no table of their day. */
async function rest(): Promise<number> {
  const [{ calls }] = await service
    .get<Database>(Database)
    .query<{ calls: number }>('SELECT count(*)::int AS calls FROM partner_requests_rest');
  return calls;
}

function day(offset: number): string {
  const at = new Date(service.now().getTime() + offset * DAY_MS);
  return at.toISOString().slice(0, 10).replaceAll('-', '');
}

function keepDays(of: TestService): Promise<void> {
  return of.get<RequestLogTasks>(RequestLogTasks).keepDays();
}

async function dropped(of: TestService): Promise<Record<string, number>> {
  const { values } = await of.get<RequestLogWriter>(RequestLogWriter).dropped.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
}

/** A read that succeeded, as it waits for the log. */
function readCall(parts: Partial<ArrivedRequest> = {}): ArrivedRequest {
  return {
    id: service.get<IdGenerator>(IdGenerator).next('req'),
    givenId: null,
    partnerId: 'demo',
    keyId: key.id,
    method: 'GET',
    route: '/products',
    path: '/api/v1/partner/products',
    subjectId: null,
    status: 200,
    code: null,
    durationUs: 1_234,
    isAuthenticated: true,
    refused: null,
    ...parts,
  };
}

describe('the tables of the days', () => {
  it('are made by two replicas at once, and calls are kept meanwhile', async () => {
    await replicas.travel(2 * DAY_MS);
    const other = clientOf(replicas.second, key);
    const { requestId, headers } = named();
    const calls = Promise.all([key.client.get('/products'), other.get('/products', { headers })]);
    // What they have found busy, the machine being so, is the next pass's.
    await eventually(async () => {
      await Promise.all([keepDays(service), keepDays(replicas.second)]);
      expect(await days()).toEqual([-2, -1, 0, 1, 2, 3].map(day));
    });
    await calls;
    expect((await logged(service, { requestId })).status).toBe(200);
    expect(await dropped(replicas.second)).toEqual({});
  });

  it('are dropped whole when every call in them is over seven days old, and not before', async () => {
    const [old] = await makeRows(service, [{ minutesAgo: 2 * MINUTES_A_DAY }]);
    expect(await logOf(service).find('demo', old)).not.toBeNull();
    await replicas.travel(5 * DAY_MS);
    await keepDays(service);
    expect(await logOf(service).find('demo', old)).not.toBeNull();
    expect((await days())[0]).toBe(day(-7));
    await replicas.travel(DAY_MS);
    await keepDays(service);
    expect(await logOf(service).find('demo', old)).toBeNull();
    expect((await days())[0]).toBe(day(-7));
  });

  it('are dropped by two replicas at once after a standstill, and calls are kept meanwhile', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await replicas.travel(3 * DAY_MS);
      await keepDays(service);
    }
    const old = await days();
    expect(old.length).toBeGreaterThan(8);
    await replicas.travel(12 * DAY_MS);
    const { requestId, headers } = named();
    await Promise.all([
      keepDays(service),
      keepDays(replicas.second),
      key.client.get('/products', { headers }),
      clientOf(replicas.second, key).get('/products'),
    ]);
    // What they have found busy, the machine being so, is the next pass's.
    await keepDays(service);
    expect((await logged(service, { requestId })).status).toBe(200);
    expect(await days()).toEqual([day(0), day(1), day(2), day(3)]);
    expect(await dropped(replicas.second)).toEqual({});
  });

  it('take over the calls that came while their day had none', async () => {
    await replicas.travel(30 * DAY_MS);
    expect(await days()).not.toContain(day(0));
    const { requestId, headers } = named();
    expect((await key.client.get('/products', { headers })).status).toBe(200);
    expect((await logged(service, { requestId })).status).toBe(200);
    expect(await rest()).not.toBe(0);
    await keepDays(service);
    expect(await days()).toContain(day(0));
    expect(await rest()).toBe(0);
    expect((await logged(service, { requestId })).status).toBe(200);
  });
});

describe('a log that cannot be written', () => {
  it('costs no call its answer, and what it lacks is counted', async () => {
    const query = (sql: string) => service.get<Database>(Database).query(sql);
    await query('ALTER TABLE partner_requests RENAME TO partner_requests_away');
    try {
      for (const _ of [1, 2, 3]) {
        expect((await key.client.get('/products')).status).toBe(200);
      }
      await expect
        .poll(async () => (await dropped(service)).unwritable, { timeout: 10_000 })
        .toBe(3);
    } finally {
      await query('ALTER TABLE partner_requests_away RENAME TO partner_requests');
    }
    const { requestId, headers } = named();
    await key.client.get('/products', { headers });
    expect((await logged(service, { requestId })).status).toBe(200);
  });

  it('keeps no call waiting', async () => {
    const { requestId, headers } = named();
    const lock = await HeldLock.take(service.databaseUrl, 'LOCK TABLE partner_requests');
    try {
      await key.client.get('/products', { headers });
      await lock.waiting('INSERT INTO partner_requests');
      for (const _ of [1, 2, 3]) {
        expect((await key.client.get('/products')).status).toBe(200);
      }
    } finally {
      await lock.release();
    }
    expect((await logged(service, { requestId })).status).toBe(200);
  });
});

describe('a call that the database refuses', () => {
  it('is dropped alone, and the others of its batch are kept', async () => {
    const writer = service.get<RequestLogWriter>(RequestLogWriter);
    const before = (await dropped(service)).unwritable ?? 0;
    const [one, other] = [readCall(), readCall()];
    const refused = [
      readCall({ path: '/a\0b' }),
      readCall({ durationUs: 2 ** 31 }),
      readCall({ code: '\uD800' }),
      readCall({ id: one.id }),
    ];
    // What is added in one turn is one batch.
    for (const call of [one, ...refused, other]) writer.add(call);
    await writer.written();
    expect(await logOf(service).find('demo', one.id)).not.toBeNull();
    expect(await logOf(service).find('demo', other.id)).not.toBeNull();
    expect((await dropped(service)).unwritable).toBe(before + 4);
  });
});

describe('a batch whose answer is lost on its way', () => {
  it('is in the log once, and counts as written', async () => {
    const database = service.get<Database>(Database);
    const prepared = database.prepared.bind(database);
    let tries = 0;
    const spy = vi.spyOn(database, 'prepared').mockImplementation(async (name, sql, values) => {
      if (name === 'log-requests') tries += 1;
      const rows = await prepared(name, sql, values);
      if (name === 'log-requests' && tries === 1) {
        throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
      }
      return rows;
    });
    const before = await dropped(service);
    try {
      const { requestId, headers } = named();
      await key.client.get('/products', { headers });
      await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThan(1);
      await service.get<RequestLogWriter>(RequestLogWriter).written();
      const { requests } = await logOf(service).list('demo', { requestId }, { limit: 5 });
      expect(requests).toHaveLength(1);
      expect(await dropped(service)).toEqual(before);
    } finally {
      spy.mockRestore();
    }
  });
});

describe('a service that ends', () => {
  it('writes the last calls first', async () => {
    const database = await createTestDatabase();
    try {
      const own = await startService({ databaseUrl: database.url });
      const { client } = await issueKey(own);
      // The first is written at once; the others would rest for a moment.
      for (const _ of [1, 2, 3, 4, 5]) await client.get('/products');
      await own.close();
      const connection = new Client({ connectionString: database.url });
      await connection.connect();
      const { rows } = await connection.query(
        'SELECT count(*)::integer AS kept FROM partner_requests',
      );
      await connection.end();
      expect(rows).toEqual([{ kept: 5 }]);
    } finally {
      await database.drop();
    }
  });
});

describe('the answer to a call with an Idempotency-Key', () => {
  const HOUR = 3_600_000;
  const A_PASS = 600_000;
  let schedule: Schedule;
  let own: OwnService;
  let records: JourneyRecords;

  beforeAll(async () => {
    schedule = Schedule.hold();
    own = await startService();
    records = new JourneyRecords(own.databaseUrl);
  });

  afterAll(async () => {
    await records?.close();
    await own?.close();
    schedule?.letGo();
  });

  const kept = () => records.query('SELECT created_at FROM idempotent_answers');

  it('is kept for 24 hours, with the scheduled cleaning at work, and then forgotten', async () => {
    const partner = partnerClient(own);
    const body = loanRequest();
    const call = () => partner.initiate(body, { headers: { 'idempotency-key': idempotencyKey } });
    const idempotencyKey = randomUUID();
    const first = await call();
    expect(first.status).toBe(200);
    for (const hours of [1, 22.9]) {
      await own.travel(hours * HOUR);
      // One that is long over shows when the cleaning has been through.
      await records.query(
        `INSERT INTO idempotent_answers
         SELECT (jsonb_populate_record(a, jsonb_build_object('idempotency_key', $1::text,
           'created_at', app_now() - interval '2 days'))).* FROM idempotent_answers AS a LIMIT 1`,
        [randomUUID()],
      );
      await schedule.pass(A_PASS);
      await eventually(async () => expect(await kept()).toHaveLength(1));
      const again = await call();
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.json.data.journeyId).toBe(first.json.data.journeyId);
    }
    await own.travel(0.2 * HOUR);
    await schedule.pass(A_PASS);
    await eventually(async () => expect(await kept()).toEqual([]));
    const other = await call();
    expect(other.headers['idempotency-replayed']).toBeUndefined();
    expect(other.json.data.journeyId).not.toBe(first.json.data.journeyId);
  });
});
