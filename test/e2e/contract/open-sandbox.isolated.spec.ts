// Isolated: runs as an open sandbox, with a separate port for the operator.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProcessorMeter } from '../../../src/platform/http/address-limiter.js';
import { AddressLimiter, Database, type RawRequest } from '../../../src/platform/index.js';
import { freePort } from '../../support/free-port.js';
import { partnerClient } from '../../support/partner-client.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { type OwnService, startService } from '../../support/service.js';
import { sendBytes } from '../../support/wire.js';
import { addressOf } from './production-service.js';

let service: OwnService;
let address: string;
let operator: string;

beforeAll(async () => {
  const port = await freePort();
  operator = `http://127.0.0.1:${port}`;
  const environment = {
    BASE_URL: 'https://sandbox.loans.example',
    SANDBOX_OPEN: 'true',
    OPERATOR_PORT: String(port),
  };
  service = await startService({ environment });
  address = addressOf(service);
  // The tests set the used processor time.
  vi.spyOn(service.get<ProcessorMeter>(ProcessorMeter), 'begin').mockReturnValue(() => 0);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await service?.close();
});

const DOCUMENTS = ['/openapi.json', '/lender-api/openapi.json', '/docs', '/docs/try'];

describe('a sandbox that others reach', () => {
  // Without this header `fetch` would send `no-cache`.
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { headers: { 'cache-control': 'max-age=0', ...headers } });

  it('has its own address in the examples, fills in no key, and any name leads there', async () => {
    const start = await (await get('/docs/quick-start')).text();
    expect(start).toContain('https://sandbox.loans.example');
    const page = await (await get('/docs/try')).text();
    expect(page).toContain('name="apiSecret"');
    for (const html of [start, page]) expect(html).not.toMatch(/rinpath_(test|secret)_\w{10}/);
    const named = 'GET /openapi.json HTTP/1.1\r\nHost: any.example\r\n\r\n';
    expect((await sendBytes(address, named)).status).toBe(200);
  });

  it('tags its documents and assets strongly, sends none to a client that has it, and tags again for another brand', async () => {
    const html = await (await get('/docs/try')).text();
    const assets = [...html.matchAll(/(?:src|href)="(\/docs\/assets[^"]*)"/g)].map(([, at]) => at);
    expect(assets.length).toBeGreaterThan(0);
    const tags = new Map<string, string>();
    for (const path of [...DOCUMENTS, ...assets]) {
      const first = await get(path);
      const tag = first.headers.get('etag') ?? '';
      expect([path, tag]).toEqual([path, expect.stringMatching(/^"[^"]+"$/)]);
      const again = await get(path, { 'if-none-match': tag });
      expect([path, again.status, (await again.arrayBuffer()).byteLength]).toEqual([path, 304, 0]);
      await first.arrayBuffer();
      tags.set(path, tag);
    }
    await service.get<Database>(Database).query(
      `UPDATE configuration SET revision = revision + 1,
         brand = brand || '{"displayName": "Other Lending"}'`,
    );
    await service.travel(5_000);
    for (const path of DOCUMENTS) {
      const now = await get(path, { 'if-none-match': tags.get(path)! });
      expect([path, now.status]).toEqual([path, 200]);
      expect(await now.text()).toContain('Other Lending');
    }
  });

  it('answers metrics and health at the operator’s port and nowhere else, and nothing else there', async () => {
    const statusAt = async (url: string) => (await fetch(url)).status;
    for (const path of ['/metrics', '/health/live', '/health/ready']) {
      expect([path, await statusAt(operator + path)]).toEqual([path, 200]);
    }
    for (const path of ['/metrics', '/health/live', '/health/ready', '/METRICS', '/metrics/']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/openapi.json', '/docs', '/api/v1/partner/products', '/sandbox/inbox']) {
      expect([path, await statusAt(operator + path)]).toEqual([path, 404]);
    }
  });
});

describe('every route without a key, while its address has used up its share of the processor', () => {
  /** Uses up the share of 127.0.0.1; the returned function releases it. */
  function takeUp(): () => void {
    const limiter = service.get<AddressLimiter>(AddressLimiter);
    const ends: (() => void)[] = [];
    try {
      for (;;) ends.push(limiter.beginWithoutKey({ ip: '127.0.0.1' } as RawRequest));
    } catch {
      return () => {
        for (const end of ends) end();
      };
    }
  }

  it.each(['application/json', 'text/html'])('is 429 with Retry-After, as %s', async (accept) => {
    // Routes of the operator's port are 404 here.
    const answered = routesWithoutKey(service).filter(
      ({ path }) => !/^\/(?:metrics|health)(?:\/|$)/.test(path),
    );
    const routes = [...answered, { method: 'GET', path: '/nothing' }];
    expect(routes.length).toBeGreaterThan(90);
    const free = takeUp();
    // In parallel, because each refusal is delayed by a second or more.
    const answers = await Promise.all(
      routes.map(async ({ method, path }) => {
        const url = address + path.replaceAll(/:\w+/g, 'abc');
        const answer = await fetch(url, { method, headers: { accept }, redirect: 'manual' });
        const { status, headers } = answer;
        return { asked: `${method} ${path}`, status, headers, text: await answer.text() };
      }),
    );
    const page = accept === 'text/html' ? '</html>' : '"code":"rate_limited"';
    for (const { asked, status, headers, text } of answers) {
      expect([asked, status]).toEqual([asked, 429]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
      const isOfLenders = asked.includes('/lender-api/v1/');
      expect(text).toContain(isOfLenders ? '"code":"too_many_requests"' : page);
    }
    expect((await partnerClient({ baseUrl: address }).get('/products')).status).toBe(200);
    free();
    expect((await fetch(`${address}/docs`)).status).toBe(200);
  });
});
