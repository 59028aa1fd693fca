// Isolated: is a sandbox that others reach.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AddressLimiter, type RawRequest, SystemClock } from '../../../src/platform/index.js';
import { ProcessorMeter } from '../../../src/platform/http/processor-meter.js';
import { DocsSearch } from '../../../src/docs-site/docs-search.js';
import { PartnerClient } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { startService, type OwnService } from '../../support/service.js';
import { addressOf } from './production-service.js';

// A sandbox that others reach: on a developer's machine every client has the same address.
const PUBLIC = { BASE_URL: 'https://sandbox.loans.example', SANDBOX_OPEN: 'true' };

let service: OwnService;
let address: string;

beforeAll(async () => {
  service = await startService({ environment: PUBLIC });
  address = addressOf(service);
  // The tests decide what is used up, not the machine.
  vi.spyOn(service.get<ProcessorMeter>(ProcessorMeter), 'begin').mockReturnValue(() => 0);
});

afterAll(() => {
  vi.restoreAllMocks();
  return service.close();
});

/** Takes up the share of 127.0.0.1. The function returned frees it. */
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

interface Answered {
  readonly asked: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks every route without a key, and an address that is none, as a program or a browser. */
async function askAll(accept: string): Promise<Answered[]> {
  const routes = [...routesWithoutKey(service), { method: 'GET', path: '/nothing' }];
  expect(routes.length).toBeGreaterThan(90);
  return Promise.all(
    routes.map(async ({ method, path }) => {
      const answer = await fetch(address + path.replaceAll(/:\w+/g, 'abc'), {
        method,
        headers: { accept },
        redirect: 'manual',
      });
      const { status, headers } = answer;
      return { asked: `${method} ${path}`, status, headers, text: await answer.text() };
    }),
  );
}

describe('every route without a key, while its address has used up its share of the processor', () => {
  it('is 429 with Retry-After, in the form that a program reads', async () => {
    const free = takeUp();
    const answers = await askAll('application/json');
    free();
    for (const { asked, status, headers, text } of answers) {
      expect([asked, status]).toEqual([asked, 429]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
      expect(JSON.parse(text)).toMatchObject(
        asked.includes('/lender-api/v1/')
          ? { error: { code: 'too_many_requests' } }
          : { success: false, code: 'rate_limited' },
      );
    }
  });

  it('is a page for a browser', async () => {
    const free = takeUp();
    const answers = await askAll('text/html');
    free();
    for (const { asked, status } of answers) expect([asked, status]).toEqual([asked, 429]);
    const pages = answers.filter(({ asked }) => !asked.includes('/lender-api/v1/'));
    for (const { asked, headers, text } of pages) {
      expect([asked, headers.get('content-type')]).toEqual([asked, 'text/html; charset=utf-8']);
      expect(text).toContain('</html>');
    }
  });

  it('is answered again when others have come to their end', async () => {
    takeUp()();
    const answer = await fetch(`${address}/docs`);
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
  });

  it('while a call with a key is served', async () => {
    const { apiKey, apiSecret } = sandboxCredentials('demo');
    const now = () => service.get<SystemClock>(SystemClock).now();
    const client = new PartnerClient({ apiKey, apiSecret, baseUrl: address, now });
    const free = takeUp();
    const { status } = await client.get('/products');
    free();
    expect(status).toBe(200);
  });
});

describe('a search', () => {
  const search = async (words: string) => {
    const answer = await fetch(`${address}/docs/search?q=${encodeURIComponent(words)}`);
    expect(answer.status).toBe(200);
    return answer.text();
  };

  it('is made once for the same words', async () => {
    const find = vi.spyOn(DocsSearch.prototype, 'find');
    const pages = [await search('journey state'), await search(' journey state ')];
    expect(find).toHaveBeenCalledTimes(1);
    expect(pages[1]).toBe(pages[0]);
    find.mockRestore();
  });

  it('is by the beginnings of words from three letters on', async () => {
    expect(await search('idem')).toContain('idempotency');
    expect(await search('qz')).toContain('Nothing is found');
    expect(await search('id')).not.toContain('/docs/errors#idempotency_key_reused');
  });

  it('is by its first six words', async () => {
    const six = 'journey state offer lender webhook event';
    const linksOf = (html: string) => [...html.matchAll(/<li><p><a href="([^"]+)"/g)].map(String);
    expect(linksOf(await search(`${six} xylophone signature`))).toEqual(linksOf(await search(six)));
  });
});
