// Isolated: checks a sandbox before its time was moved.
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/auth/index.js';
import { SCENARIOS } from '../../../src/sandbox/index.js';
import { HostedClient, plain } from '../../support/hosted-client.js';
import { journeyIn, readJourney } from '../../support/journey-driver.js';
import { startService } from '../../support/service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { entered } from './workbench-browser.js';
import { ofFile } from '../../support/of-file.js';

const PAGE = '/workbench/sandbox';
const TIME = `${PAGE}/time`;
const HOUR = 3_600_000;
/** Pages of the workbench, of the sandbox and of an applicant. */
const SOME_PAGES = [PAGE, '/workbench', '/sandbox/inbox', '/hosted/link'];

const service = ofFile(() => startService());
let key: TestKey;
let browser: HostedClient;

beforeAll(async () => {
  key = await issueKey(service, { products: ['ONLINE_PERSONAL', 'ONLINE_GOLD', 'ONLINE_INSTANT'] });
  browser = await entered(service, key);
});

async function without(scope: (typeof SCOPES)[number]): Promise<HostedClient> {
  const scopes = SCOPES.filter((one) => one !== scope);
  return entered(service, await issueKey(service, { scopes }));
}

describe('a scenario', () => {
  it.each([
    ['journey-every-lender-declines', /^\/workbench\/journeys\/jrn_/, /^\/hosted\/start\//],
    ['gold-loan-approved', /^\/workbench\/journeys\/jrn_/, /^\/hosted\/start\//],
    ['instant-loan-payment-fails', /^\/workbench\/journeys\/jrn_/, /^\/pay\//],
  ])(
    '%s starts by one click, and leads to its timeline and, in a new tab, to the applicant’s pages',
    async (name, timeline, applicant) => {
      await browser.open(PAGE);
      const { text } = await browser.submit({}, { action: `${PAGE}/scenarios/${name}` });
      expect(plain(text)).toContain(SCENARIOS.find((one) => one.name === name)!.lookAt);
      const links = [...text.matchAll(/<a href="([^"]+)"( target="_blank")?/g)];
      const own = links.map(([, href]) => href).find((href) => timeline.test(href))!;
      expect((await browser.open(own)).status).toBe(200);
      const away = links.filter(([, , target]) => target).map(([, href]) => href);
      const paths = away.map((href) => new URL(href, service.baseUrl).pathname);
      const link = paths.find((path) => applicant.test(path))!;
      expect((await browser.open(link)).status).toBe(200);
    },
  );
});

describe('time', () => {
  it('that was not moved is the one time of a call', async () => {
    const { requestId, headers } = named();
    await key.client.get('/products', { headers });
    const call = await logged(service, { requestId });
    expect(call.realAt).toBeNull();
    for (const path of ['/workbench/requests', `/workbench/requests/${call.id}`]) {
      expect(plain((await browser.open(path)).text)).not.toMatch(/real time|sandbox’s time/i);
    }
  });

  it('moves by a button, so that a journey is abandoned, and then every page says it', async () => {
    const shown = async () => {
      const texts: boolean[] = [];
      for (const path of SOME_PAGES) {
        texts.push((await browser.open(path)).text.includes('class="sandbox-time"'));
      }
      return [...new Set(texts)];
    };
    expect(await shown()).toEqual([false]);
    const journey = await journeyIn(key.client, 'OFFERS_RECEIVED');
    await browser.open(PAGE);
    const page = await browser.send303({ seconds: String(7 * 24 * 3_600) }, { action: TIME });
    expect(plain(page.text)).toContain('Time was moved, and everything due has run.');
    expect((await readJourney(key.client, journey)).state).toBe('ABANDONED');
    expect(await shown()).toEqual([true]);
    // The workbench is in English, also for a browser that prefers Hindi.
    const inHindi = new HostedClient(service.baseUrl, { language: 'hi' });
    expect((await inHindi.open(PAGE)).text).not.toMatch(/\p{Script=Devanagari}/u);
    const before = service.now().getTime();
    const to = new Date(before + HOUR + 19_800_000).toISOString().slice(0, 16);
    await browser.open(PAGE);
    await browser.send303({ seconds: '', to }, { action: TIME });
    const moved = service.now().getTime() - before;
    expect(moved).toBeGreaterThan(HOUR - 60_000);
    expect(moved).toBeLessThan(2 * HOUR);
  });

  it('needs the scope, and a form of the service', async () => {
    const reader = await without('sandbox:travel');
    expect((await reader.open(PAGE)).text).toContain('sandbox:travel');
    const before = service.now().getTime();
    expect((await reader.post(TIME, { seconds: '604800' })).status).toBe(403);
    expect((await browser.post(TIME, { seconds: '604800' })).status).toBe(403);
    expect(service.now().getTime() - before).toBeLessThan(HOUR);
  });
});
