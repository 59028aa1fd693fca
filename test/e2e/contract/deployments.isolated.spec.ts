// Isolated: runs in production, and as a sandbox that others reach.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { DocsSearch } from '../../../src/docs-site/docs-search.js';
import { ProcessorMeter } from '../../../src/platform/http/address-limiter.js';
import {
  AddressLimiter,
  RandomSource,
  type RawRequest,
  SystemClock,
} from '../../../src/platform/index.js';
import { PRODUCTION_DEPLOYMENT } from '../../support/deployments.js';
import { HostedClient } from '../../support/hosted-client.js';
import { loanRequest } from '../../support/loan-requests.js';
import { PartnerClient, partnerClient } from '../../support/partner-client.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { type OwnService, startService, type TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { sendBytes } from '../../support/wire.js';
import { partnerRoutesOf } from '../auth/auth-harness.js';
import { docsPages, documentedCalls, lostLinks } from '../docs/docs-pages.js';
import { addressOf, type ProductionService, startProduction } from './production-service.js';

let sandbox: TestService;

/** A sandbox that others reach. */
let elsewhere: OwnService;

let production: ProductionService;

beforeAll(async () => {
  sandbox = await sharedService();
  const environment = { BASE_URL: 'https://sandbox.loans.example', SANDBOX_OPEN: 'true' };
  elsewhere = await startService({ environment });
  production = await startProduction();
});

afterAll(() => Promise.all([elsewhere.close(), production.close()]));

async function textOf(address: string, path: string): Promise<string> {
  const response = await fetch(address + path);
  expect(response.status).toBe(200);
  return response.text();
}

async function ask(address: string, host: string, path: string) {
  const { status, headers } = await sendBytes(
    address,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`,
  );
  return { status, headers };
}

describe('sandbox and production', () => {
  it('serve the same calls under the same paths, but for those below `sandbox/`', () => {
    const routes = partnerRoutesOf(sandbox);
    const ofBoth = routes.filter(({ target }) => !target.includes('/v1/partner/sandbox/'));
    expect(ofBoth.length).toBeGreaterThan(20);
    expect(routes.length).toBeGreaterThan(ofBoth.length);
    expect(partnerRoutesOf(production)).toEqual(ofBoth);
  });

  it('differ in how often a journey is to be read: every 2 seconds, every 5', async () => {
    expect(await pollIntervalOf(partnerClient(sandbox))).toBe(2);
    expect(await pollIntervalOf(await livePartner())).toBe(5);
  });
});

/** What a journey says that begins now. */
async function pollIntervalOf(client: PartnerClient): Promise<number> {
  const { status, json } = await client.initiate(loanRequest({ channel: 'API_HOSTED' }));
  expect([status, json.error]).toEqual([200, undefined]);
  return (await client.journey(json.data.journeyId)).json.data.pollIntervalSeconds;
}

/** A partner in production, whose file leaves the settings to the mode. */
async function livePartner(): Promise<PartnerClient> {
  const random = new RandomSource();
  const live = {
    apiKey: makeApiKey('rinpath', 'live', random),
    apiSecret: makeApiSecret('rinpath', 'live', random),
  };
  const key = {
    ...live,
    name: 'live',
    scopes: ['journeys:write', 'journeys:read'],
    products: ['ONLINE_PERSONAL'],
  };
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-gap-'));
  const path = join(folder, 'production.yaml');
  const partners = [{ id: 'acme', name: 'Acme', keys: [key] }];
  writeFileSync(path, productionConfiguration({ version: 1_000, settings: undefined, partners }));
  await production
    .get<ConfigurationApplier>(ConfigurationApplier)
    .apply(path, PRODUCTION_DEPLOYMENT);
  rmSync(folder, { recursive: true });
  return new PartnerClient({ ...live, baseUrl: production.address });
}

describe('the page at /docs/try', () => {
  it('asks for key and secret in a sandbox that others reach, and fills nothing in', async () => {
    const html = await textOf(addressOf(elsewhere), '/docs/try');
    expect(html).toContain('name="apiSecret"');
    expect(html).not.toMatch(/rinpath_(test|secret)/);
  });

  it('asks for nothing in production', async () => {
    const html = await textOf(production.address, '/docs/try');
    expect(html).not.toContain('<input');
    expect(html).not.toMatch(/rinpath_(test|secret)/);
  });
});

describe('the document in production', () => {
  it('is served under the address of production', async () => {
    const text = await textOf(production.address, '/openapi.json');
    const { servers } = JSON.parse(text) as { servers: unknown };
    expect(servers).toEqual([{ url: 'https://loans.example' }]);
  });
});

describe('a service that others reach', () => {
  it('leaves the names under which it is reached to who runs it', async () => {
    expect((await ask(addressOf(elsewhere), 'any.example', '/openapi.json')).status).toBe(200);
    expect((await ask(production.address, '10.1.2.3', '/openapi.json')).status).toBe(200);
  });
});

describe('Strict-Transport-Security', () => {
  it('is on every answer of production: a page, a call, a failure', async () => {
    for (const path of ['/returned', '/api/v1/partner/products', '/openapi.json', '/x']) {
      const { headers } = await ask(production.address, 'loans.example', path);
      expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
    }
  });
});

describe('the workbench without a session in production', () => {
  it('has neither a front page nor a demonstration', async () => {
    const browser = new HostedClient(production.address);
    expect((await browser.get('/')).status).toBe(404);
    for (const path of ['/workbench', '/workbench/journeys', '/workbench/guide']) {
      const page = await browser.get(path);
      expect([page.status, page.heading]).toEqual([401, 'The workbench']);
    }
  });

  it('has no page that checks signatures', async () => {
    const answer = await fetch(`${production.address}/workbench/signature`, {
      headers: { accept: 'text/html' },
    });
    expect(answer.status).toBe(404);
  });
});

describe('the documentation of a sandbox that others reach', () => {
  it('has its own address in the examples and no key filled in', async () => {
    const html = await textOf(addressOf(elsewhere), '/docs/quick-start');
    expect(html).toContain('https://sandbox.loans.example');
    expect(html).toContain('YOUR_API_SECRET');
    expect(html).not.toMatch(/rinpath_(test|secret)_\w{10}/);
  });
});

describe('the documentation in production', () => {
  it('is read by everybody, links nothing of the sandbox and has no key', async () => {
    const { address } = production;
    const shown = await docsPages(address);
    const calls = await documentedCalls(sandbox.baseUrl);
    const ofTheSandbox = calls.filter(({ path }) => path.startsWith('/api/v1/partner/sandbox/'));
    expect(ofTheSandbox.length).toBeGreaterThan(0);
    const others = calls.filter((call) => !ofTheSandbox.includes(call));
    for (const { name } of others) expect([...shown.keys()]).toContain(`/docs/reference/${name}`);
    for (const { name } of ofTheSandbox)
      expect((await fetch(`${address}/docs/reference/${name}`)).status).toBe(404);
    expect(await lostLinks(address, shown)).toEqual([]);
    for (const [path, html] of shown) {
      expect([
        path,
        /rinpath_(test|secret_test)_\w{30}|href="\/(sandbox|docs\/try)/.test(html),
      ]).toEqual([path, false]);
    }
    // Nobody shall start a real loan by a program that is copied.
    expect(shown.get('/docs/quick-start')).toContain('http://localhost:3000');
    expect(shown.get('/docs/quick-start')).not.toContain('https://loans.example');
  });
});

describe('a share of the processor', () => {
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
      expect(linksOf(await search(`${six} xylophone signature`))).toEqual(
        linksOf(await search(six)),
      );
    });
  });
});
