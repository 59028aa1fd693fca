// Isolated: deletes calls and stored responses of every partner.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { RequestLogWriter } from '../../../src/request-log/request-log-writer.js';
import { RequestLogTasks } from '../../../src/request-log/request-log.module.js';
import { eventually } from '../../support/eventually.js';
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

async function days(): Promise<string[]> {
  const rows = await service.get<Database>(Database).query<{ name: string }>(
    `SELECT right(inhrelid::regclass::text, 8) AS name FROM pg_inherits
     WHERE inhparent = 'partner_requests'::regclass
       AND inhrelid <> 'partner_requests_rest'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
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

describe('the tables of the days', () => {
  it('are dropped whole when every call in them is over seven days old, and not before', async () => {
    // The days until now have their tables.
    await replicas.travel(2 * DAY_MS);
    await keepDays(service);
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
    // The next run deletes what this one found locked on a busy machine.
    await keepDays(service);
    expect((await logged(service, { requestId })).status).toBe(200);
    expect(await days()).toEqual([day(0), day(1), day(2), day(3)]);
    expect(await dropped(replicas.second)).toEqual({});
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
      // An expired row shows that the clean-up has run.
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
