import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InstantLoanLinks } from '../../../src/instant-loans/access/instant-loan-links.js';
import { REDIRECT_STEPS } from '../../../src/journey-steps/index.js';
import { ReturnUrls } from '../../../src/journeys/redirects/return-urls.js';
import type { Journey } from '../../../src/journeys/store/journey.entity.js';
import { HostedClient } from '../../support/hosted-client.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { expectWords, hostedService, StepJourney } from '../hosted-steps/step-journey.js';

/** Every route to which a provider or a gateway returns a browser. */
const RETURN_ROUTES = [
  '/hosted/returned/:step',
  '/pay/:token/done',
  '/returned',
  '/sandbox/partner',
];

const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://provider.example' };
const FORM = { ...FOREIGN, 'content-type': 'application/x-www-form-urlencoded' };

/** Forms that a provider's page may send; other routes answer 413 to the long one and 400 to the compressed one. */
const BODIES: RequestInit[] = [
  { headers: FORM, body: 'status=SUCCESS' },
  { headers: FOREIGN },
  { headers: FORM, body: 'x'.repeat(150 * 1_024) },
  { headers: { ...FORM, 'content-encoding': 'gzip' }, body: gzipSync('status=SUCCESS') },
];

const service = hostedService();

async function post(target: string, init: RequestInit = { headers: FORM, body: 'a=b' }) {
  const options = { method: 'POST', redirect: 'manual', ...init } as const;
  const response = await fetch(new URL(target, service.baseUrl), options);
  await response.arrayBuffer();
  return [target, response.status, response.headers.get('location')];
}

describe('a browser that is returned by a form POST', () => {
  it('is sent to the same address by GET at the return addresses, and nowhere else', async () => {
    const paths = routesWithoutKey(service).flatMap(({ method, path }) =>
      method === 'GET' ? [path] : [],
    );
    expect(paths).toEqual(expect.arrayContaining(RETURN_ROUTES));
    const sent: string[] = [];
    for (const path of new Set(paths)) {
      const target = path.replaceAll(/:\w+/g, 'x');
      const [, status, location] = await post(target);
      if (status === 303 && location === target) sent.push(path);
    }
    expect(sent.toSorted()).toEqual(RETURN_ROUTES);
  });

  it('keeps its query, whatever the body', async () => {
    for (const init of BODIES)
      for (const path of RETURN_ROUTES.map((route) => route.replaceAll(/:\w+/g, 'x'))) {
        for (const target of [path, `${path}?a=1&b=%20x?y&a=2`, `${path}/`, path.toUpperCase()]) {
          expect(await post(target, init)).toEqual([target, 303, target]);
        }
      }
  });

  it('is so at every address that a lender or a gateway gets from the service', async () => {
    const returns = service.get<ReturnUrls>(ReturnUrls);
    const links = service.get<InstantLoanLinks>(InstantLoanLinks);
    const journey = { id: `jrn_${'0'.repeat(32)}`, partnerId: 'demo', referenceSealed: null };
    const given = [links.returnLink(`app_${'0'.repeat(32)}`)];
    for (const channel of ['API_HOSTED', 'API_HEADLESS']) {
      for (const step of REDIRECT_STEPS)
        given.push(await returns.afterStep({ ...journey, channel } as Journey, step));
    }
    for (const url of given) {
      const target = url.replace(service.baseUrl, '');
      expect(await post(target)).toEqual([target, 303, target]);
    }
  });

  it('goes on with its journey once the browser has its cookies again; another browser gets the place to go on', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const [, , location] = await post('/hosted/returned/KYC?ref=1');
    expect(location).toBe('/hosted/returned/KYC?ref=1');
    const other = new HostedClient(service.baseUrl);
    for (const [client, said] of [
      [other, 'Go back to the browser where you started.'],
      [other.inLanguage('hi'), 'उसी ब्राउज़र पर लौटें जिसमें शुरू किया था।'],
    ] as const) {
      const page = await client.get(String(location));
      expectWords(page, said);
      expect([page.status, page.text.includes('href="/hosted/link"')]).toEqual([200, true]);
    }
    expect((await other.get('/hosted/returned/NOTHING')).status).toBe(404);
    other.cookies.set('session', 'of-another-day');
    expect((await other.get(String(location))).location).toBe('/hosted/link');
    expect((await journey.view()).state).toBe('KYC_PENDING');
    await journey.client.open(String(location));
    await journey.reaches('BANK_ACCOUNT_PENDING');
  });
});
