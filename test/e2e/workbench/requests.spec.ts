import { beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import type { TestService } from '../../support/service.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { JOURNEY, logged, makeRows, named, READ, WRITE } from '../request-log/request-log-bench.js';
import { entered } from './workbench-browser.js';

const PAGE = '/workbench/requests';
const HOUR_MS = 3_600_000;

const service = serviceOfFile();
/** The same service with another partner. */
let stranger: TestService;
let key: TestKey;
let browser: HostedClient;
/** The ids of a partner's only calls, newest first. */
let ids: string[];
let other: HostedClient;

beforeAll(async () => {
  key = await issueKey(service);
  browser = await entered(service, key);
  stranger = await sharedService();
  other = await entered(stranger, await issueKey(stranger));
  // The calls that opened the sessions are deleted.
  const { partnerId } = stranger;
  await logged(service, { route: '/workbench-links' }, partnerId);
  const database = service.get<Database>(Database);
  await database.query('DELETE FROM partner_requests WHERE partner_id = $1', [partnerId]);
  ids = await makeRows(service, [
    { partnerId, minutesAgo: 1 },
    { partnerId, minutesAgo: 2, ...READ, subjectId: JOURNEY },
    { partnerId, minutesAgo: 3, ...WRITE, subjectId: JOURNEY, keyId: 'key_b' },
    { partnerId, minutesAgo: 4, status: 429, code: 'rate_limited' },
    { partnerId, minutesAgo: 5, ...WRITE, status: 400, code: 'validation_failed' },
    { partnerId, minutesAgo: 6, status: 503, code: 'service_unavailable' },
    { partnerId, minutesAgo: 7, ...WRITE, status: 499 },
    { partnerId, minutesAgo: 60 * 25, status: 429, code: 'rate_limited' },
  ]);
});

const idsOf = ({ text }: HostedPage) =>
  [...text.matchAll(/href="\/workbench\/requests\/(req_[0-9a-f]{32})"/g)].map(([, id]) => id);

describe('the list of requests', () => {
  it('is filtered by each of its fields', async () => {
    const filters: [string, number[]][] = [
      ['', [0, 1, 2, 3, 4, 5, 6, 7]],
      ['?status=5xx', [5]],
      ['?code=rate_limited', [3, 7]],
      ['?method=POST&status=4xx', [4, 6]],
      ['?route=/journey/:journeyId', [1]],
      ['?path=jrn_11', [1]],
      [`?subject=${JOURNEY}`, [1, 2]],
      ['?key=key_b', [2]],
      [`?request=${ids[4]}`, [4]],
      ['?code=x', []],
    ];
    for (const [query, expected] of filters) {
      const page = await other.open(PAGE + query);
      const shown = idsOf(page).map((id) => ids.indexOf(id));
      expect([query, shown]).toEqual([query, expected]);
      expect(page.text.includes('No results')).toBe(expected.length === 0);
    }
  });

  it('answers whatever its address holds', async () => {
    for (const query of ['?code=%00', '?path=%00a', '?subject=%F0', '?before=x', '?status=9xx']) {
      expect([query, (await other.get(PAGE + query)).status]).toEqual([query, 200]);
    }
    expect((await other.get('/workbench/journeys?id=jrn_%00')).status).toBe(200);
    expect((await other.get(`${PAGE}/x%00`)).status).toBe(404);
  });
});

describe('one request’s page', () => {
  it('shows all that is kept, and leads to its journey', async () => {
    const { id } = await startJourney(key.client);
    const { requestId, headers } = named();
    await key.client.get(`/journey/${id}?x=1`, { headers });
    const call = await logged(service, { requestId });
    const { text } = await browser.open(`${PAGE}/${call.id}`);
    const words = plain(text);
    for (const shown of [
      requestId,
      call.id,
      `/api/v1/partner/journey/${id}`,
      '/journey/:journeyId',
      `${call.durationMs} ms`,
      call.at.toISOString().slice(0, -1).replace('T', ' '),
    ]) {
      expect(words).toContain(shown);
    }
    expect(text).toContain(`href="/workbench/journeys/${id}"`);
    const bare = await entered(service, await issueKey(service, { scopes: ['workbench:open'] }));
    const unlinked = (await bare.open(`${PAGE}/${call.id}`)).text;
    expect(unlinked).toContain(id);
    expect(unlinked).not.toContain(`href="/workbench/journeys/${id}"`);
  });
});

describe('a call after the sandbox’s time was moved', () => {
  it('has its sandbox time and its real time in the list and on its page', async () => {
    await service.travel(HOUR_MS);
    const { requestId, headers } = named();
    await key.client.get('/products', { headers });
    const call = await logged(service, { requestId });
    const ahead = call.at.getTime() - call.realAt!.getTime();
    expect(ahead).toBeGreaterThan(HOUR_MS - 1_000);
    expect(Math.abs(Date.now() - call.realAt!.getTime())).toBeLessThan(60_000);
    const time = (at: Date) => {
      const iso = at.toISOString();
      return `<time datetime="${iso}">${iso.slice(0, -1).replace('T', ' ')} UTC</time>`;
    };
    for (const path of [`${PAGE}?request=${requestId}`, `${PAGE}/${call.id}`]) {
      const { text } = await browser.open(path);
      expect(text).toContain(time(call.at));
      expect(text).toContain(time(call.realAt!));
      expect(plain(text)).toMatch(/real time/i);
    }
  });
});

describe('the overview', () => {
  it('counts the failures of the last 24 hours by code, and leads to the calls', async () => {
    const { text } = await other.open('/workbench');
    expect(plain(text)).toMatch(/validation_failed 1 .*rate_limited 1 /);
    expect(plain(text)).toMatch(/service_unavailable 1 .*4 of 7 calls failed\./);
    expect(plain(text)).toContain('the caller closed the connection 1');
    const href = /href="([^"]+)" class="code">rate_limited</.exec(text)![1];
    expect(idsOf(await other.open(plain(href)))).toEqual([ids[3], ids[7]]);
  });
});

describe('a journey’s page', () => {
  it('has the calls in order of time with the rest, and polling as one entry', async () => {
    const { id, session } = await journeyIn(key.client, 'OFFERS_RECEIVED');
    for (let poll = 0; poll < 3; poll += 1) await key.client.journey(id, session);
    await key.client.post(`/journey/${id}/action`, { kind: 'NOTHING', payload: {} });
    await eventually(async () => {
      const { text } = await browser.open(`/workbench/journeys/${id}`);
      const titles = [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => plain(title));
      expect(titles).toContain('POST /journey/:journeyId/action: 401 journey_session_missing');
      expect(titles.indexOf('POST /journey/initiate: 200')).toBeLessThan(
        titles.indexOf('STARTED: now INITIATED'),
      );
      const polled = /.*GET \/journey\/:journeyId: 200 (\d+) times in a row/.exec(plain(text));
      expect(Number(polled?.[1])).toBeGreaterThanOrEqual(3);
      expect(titles.at(-1)).toBe('POST /journey/:journeyId/action: 401 journey_session_missing');
      expect(titles.at(-2)).toBe('GET /journey/:journeyId: 200');
    });
  });
});
