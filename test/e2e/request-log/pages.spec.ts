import { beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import type { RequestFilter } from '../../../src/request-log/index.js';
import type { TestService } from '../../support/service.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';
import { JOURNEY, logOf, makeRows, READ, repeatRow, WRITE } from './request-log-bench.js';

// A partner with many calls, which no other file uses.
const BUSY = 'busy in the log';

const service = serviceOfFile();
let stranger: TestService;
let ids: string[];
let foreign: string[];

beforeAll(async () => {
  stranger = await sharedService();
  ids = await makeRows(service, [
    { minutesAgo: 1 },
    { minutesAgo: 2, ...READ, subjectId: JOURNEY },
    { minutesAgo: 3, ...WRITE, subjectId: JOURNEY, keyId: 'key_b' },
    { minutesAgo: 4, status: 429, code: 'rate_limited' },
    { minutesAgo: 5, ...READ, subjectId: JOURNEY, status: 404, code: 'journey_not_found' },
  ]);
  // The same calls of another partner, at the same moments.
  const { partnerId } = stranger;
  foreign = await makeRows(service, [
    { partnerId, minutesAgo: 1 },
    { partnerId, minutesAgo: 2, ...READ, subjectId: JOURNEY },
    { partnerId, minutesAgo: 4, ...WRITE, status: 503, code: 'service_unavailable' },
  ]);
});

async function found(filter: RequestFilter, limit = 50): Promise<number[]> {
  const all: number[] = [];
  let before: string | undefined;
  do {
    const page = await logOf(service).list(service.partnerId, filter, { before, limit });
    expect(page.requests.length).toBeLessThanOrEqual(limit);
    all.push(...page.requests.map(({ id }) => ids.indexOf(id)));
    before = page.nextBefore ?? undefined;
  } while (before !== undefined);
  return all;
}

describe('a page of calls', () => {
  it.each([2, 50])('shows all of them, newest first, %i at a time', async (limit) => {
    expect(await found({}, limit)).toEqual([0, 1, 2, 3, 4]);
  });

  // Each field separately: ../workbench/requests.spec.ts.
  it.each<[string, RequestFilter, number[]]>([
    ['of a code that another class has', { code: 'rate_limited', statusClass: '5xx' }, []],
    ['of a part of the path', { path: '/journey/jrn_11' }, [1, 4]],
    ['of a path with a sign of LIKE', { path: '%' }, []],
    ['of a journey that failed', { subjectId: JOURNEY, code: 'journey_not_found' }, [4]],
  ])('shows those %s', async (_, filter, expected) => {
    expect(await found(filter)).toEqual(expected);
    expect(await found(filter, 1)).toEqual(expected);
  });
});

describe('another partner’s calls', () => {
  it('are in no page, behind no cursor and under no id', async () => {
    const log = logOf(service);
    const filters: RequestFilter[] = [
      {},
      { subjectId: JOURNEY },
      { code: 'service_unavailable' },
      { path: 'journey' },
      ...foreign.map((requestId) => ({ requestId })),
    ];
    for (const filter of filters) {
      for (const before of [undefined, ...foreign]) {
        const { requests } = await log.list(service.partnerId, filter, { before, limit: 50 });
        expect(requests.filter(({ id }) => foreign.includes(id))).toEqual([]);
      }
    }
    for (const id of foreign) {
      expect(await log.find(service.partnerId, id)).toBeNull();
      expect(await log.find(stranger.partnerId, id)).toMatchObject({ id });
    }
  });
});

describe('a large log', () => {
  const ROWS = 45_000;

  beforeAll(async () => {
    await repeatRow(service, { partnerId: BUSY, minutesAgo: 0 }, ROWS - 1);
    await makeRows(service, [{ partnerId: BUSY, minutesAgo: 10, keyId: 'key_rare' }]);
    await service.get<Database>(Database).query('ANALYZE partner_requests');
  });

  it('is looked through 20,000 calls at a time for what no index finds', async () => {
    const log = logOf(service);
    const sizes: number[] = [];
    let before: string | undefined;
    for (let look = 0; look < 3; look += 1) {
      const page = await log.list(BUSY, { keyId: 'key_rare' }, { before, limit: 5 });
      sizes.push(page.requests.length);
      before = page.nextBefore ?? undefined;
    }
    expect([sizes, before]).toEqual([[0, 0, 1], undefined]);
  });
});
