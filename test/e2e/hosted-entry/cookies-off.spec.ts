import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  codeFor,
  HostedClient,
  messagesTo,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const HEADING = 'Cookies are off here';
const FORGED = 'We could not accept this form';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

/** Submits a form of the page without cookies; returns the resulting page. */
async function withoutCookies(path: string, language: 'en' | 'hi' = 'en') {
  const shown = new HostedClient(service.baseUrl, { language });
  const { text } = await shown.open(path);
  shown.cookies.clear();
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
  return shown.post(path, { csrf });
}

const linkIn = (html: string) => /<input[^>]* id="link"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? '';

describe('a form from a browser without cookies', () => {
  it('is answered so at every address that takes one, and a link with a token opens its page', async () => {
    const { link } = await startHosted(service);
    const { json } = await applyForInstantLoan(partnerClient(service));
    const [, , payToken] = new URL(json.data.redirectUrl).pathname.split('/');
    const tokens: Record<string, string> = {
      '/hosted/start': link.split('/').at(-1)!,
      '/pay': payToken,
    };
    const answered: string[] = [];
    for (const { method, path } of routesWithoutKey(service)) {
      const [, start = ''] = /^(.*?)\/:token/.exec(path) ?? [];
      const target = path.replace(':token', tokens[start] ?? 'x').replaceAll(/:\w+/g, 'x');
      if (method !== 'POST' || path.includes('/v1/')) continue;
      const client = new HostedClient(service.baseUrl);
      const page = await client.post(target, {});
      expect([path, page.heading]).not.toEqual([path, FORGED]);
      if (page.heading !== HEADING) continue;
      answered.push(path);
      expect([path, page.status, linkIn(page.text)]).toEqual([path, 403, service.baseUrl + target]);
      const opened = tokens[start] === undefined ? null : await client.open(target);
      expect([path, opened?.status ?? 200]).toEqual([path, 200]);
    }
    expect(answered).toEqual(
      expect.arrayContaining([
        '/hosted/start/:token',
        '/hosted/link',
        '/pay/:token',
        '/pay/:token/choice',
        '/pay/:token/offers',
        '/r/:token/acknowledgement',
        '/r/:token/stop',
      ]),
    );
  });

  it('uses nothing up at the start: the link goes on in another browser, and one code is sent', async () => {
    const { link, mobile } = await startHosted(service);
    const page = await withoutCookies(link);
    expect(page.heading).toBe(HEADING);
    expect(plain(page.text)).toContain('Open the link in Chrome or Safari.');
    expect((await withoutCookies(link, 'hi')).heading).toBe('यहाँ कुकीज़ बंद हैं');
    expect(await messagesTo(service, mobile)).toEqual([]);
    const browser = new HostedClient(service.baseUrl);
    await browser.open(link);
    await browser.send303();
    const { path } = await browser.send303({ code: await codeFor(service, mobile) });
    expect(path).toBe('/hosted/consent');
    expect(await messagesTo(service, mobile)).toHaveLength(1);
  });

  it('differs from a forged one by its cookie or by the site that it comes from', async () => {
    const withCookie = new HostedClient(service.baseUrl);
    await withCookie.open('/hosted/link');
    expect((await withCookie.post('/hosted/link', { mobile: '9' })).heading).toBe(FORGED);
    const foreign = await fetch(`${service.baseUrl}/hosted/link`, {
      method: 'POST',
      headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ mobile: '9' }),
    });
    expect(await foreign.text()).toContain(FORGED);
  });
});

describe('the start page', () => {
  it('sets a cookie when it is opened, and none when it is only fetched ahead', async () => {
    const { link } = await startHosted(service);
    const get = (headers: Record<string, string>) =>
      fetch(service.baseUrl + link, { headers: { accept: 'text/html', ...headers } });
    const opened = await get({});
    expect([opened.status, opened.headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^csrf=.*HttpOnly; SameSite=Lax$/)],
    ]);
    const ahead = await get({ 'sec-purpose': 'prefetch' });
    expect([ahead.status, ahead.headers.getSetCookie()]).toEqual([503, []]);
  });
});
