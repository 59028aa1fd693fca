// Isolated: removes calls of every partner.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { RequestLogWriter } from '../../../src/request-log/request-log-writer.js';
import { RequestLogTasks } from '../../../src/request-log/request-log.module.js';
import { startTwoReplicas, type TestService } from '../../support/service.js';
import { clientOf, issueKey, type TestKey } from '../auth/auth-harness.js';
import { logged, logOf, makeRows, named } from './request-log-bench.js';
import { ofFile } from '../../support/of-file.js';

const DAY_MS = 86_400_000;

const MINUTES_A_DAY = 1_440;

const replicas = ofFile(() => startTwoReplicas());

let service: TestService;

let key: TestKey;

beforeAll(async () => {
  service = replicas.first;
  key = await issueKey(service);
});

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
  /** Runs the pass on both replicas during a call. */
  async function kept(): Promise<void> {
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
  }

  it('are dropped whole when every call in them is over seven days old, and not before, also by two replicas at once, many after a standstill', async () => {
    // The days up to now have partitions.
    await replicas.travel(2 * DAY_MS);
    await keepDays(service);
    const [old] = await makeRows(service, [{ minutesAgo: 2 * MINUTES_A_DAY }]);
    for (const [wait, isThere] of [
      [5, true],
      [1, false],
    ] as const) {
      await replicas.travel(wait * DAY_MS);
      await kept();
      expect((await logOf(service).find('demo', old)) !== null).toBe(isThere);
      expect((await days())[0]).toBe(day(-7));
    }
    expect((await days()).length).toBeGreaterThan(8);
    await replicas.travel(12 * DAY_MS);
    await kept();
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
