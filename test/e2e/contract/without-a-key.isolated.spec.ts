// Isolated: replaces a module for every file that imports it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { partnerDocument } from '../../../src/api-document/index.js';
import * as demonstration from '../../../src/settings/demonstration-key.js';
import { freePort } from '../../support/free-port.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { startService, type OwnService } from '../../support/service.js';

vi.mock('../../../src/api-document/partner-document.js', { spy: true });
vi.mock('../../../src/settings/demonstration-key.js', { spy: true });

let service: OwnService;
let operator: string;

beforeAll(async () => {
  const port = await freePort();
  operator = `http://127.0.0.1:${port}`;
  service = await startService({ environment: { OPERATOR_PORT: String(port) } });
});

afterAll(() => service.close());

const DOCUMENTS = ['/openapi.json', '/lender-api/openapi.json', '/docs', '/docs/try'];

/** The addresses that `/docs/try` and a page of the applicants' load. */
async function assets(): Promise<string[]> {
  const pages = await Promise.all(
    ['/docs/try', '/hosted/link'].map(async (path) => (await fetch(service.baseUrl + path)).text()),
  );
  const found = pages.flatMap((html) => [...html.matchAll(/(?:src|href)="(\/[^"]+\.\w+[^"]*)"/g)]);
  const addresses = found.map(([, address]) => address.replaceAll('&amp;', '&'));
  expect(addresses.some((address) => address.startsWith('/docs/assets/'))).toBe(true);
  expect(addresses.some((address) => address.startsWith('/assets/'))).toBe(true);
  return addresses;
}

// Without a word of its own about caches, `fetch` asks for what no cache has.
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, { headers: { 'cache-control': 'max-age=0', ...headers } });

describe('what is answered without a key', () => {
  it('has a strong tag, and is not sent to who has it already', async () => {
    for (const path of [...DOCUMENTS, ...(await assets())]) {
      const first = await get(path);
      const tag = first.headers.get('etag') ?? '';
      expect([path, first.status, tag]).toEqual([path, 200, expect.stringMatching(/^"[^"]+"$/)]);
      expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(0);
      const again = await get(path, { 'if-none-match': tag });
      expect([path, again.status, again.headers.get('etag')]).toEqual([path, 304, tag]);
      expect((await again.arrayBuffer()).byteLength).toBe(0);
      const other = await get(path, { 'if-none-match': '"another"' });
      expect([path, other.status]).toEqual([path, 200]);
      await other.arrayBuffer();
    }
  });

  it('is made once, however often it is asked for', async () => {
    await get('/openapi.json');
    await get('/docs');
    await get('/docs/try');
    vi.mocked(partnerDocument).mockClear();
    vi.mocked(demonstration.demonstrationKey).mockClear();
    for (let times = 0; times < 20; times += 1) {
      expect((await get('/openapi.json')).status).toBe(200);
      expect((await get('/docs')).status).toBe(200);
      expect((await get('/docs/try')).status).toBe(200);
    }
    expect(partnerDocument).not.toHaveBeenCalled();
    expect(demonstration.demonstrationKey).not.toHaveBeenCalled();
  });

  it('has another tag when the operator has applied another name', async () => {
    const before = await Promise.all(DOCUMENTS.map((path) => get(path)));
    const records = new JourneyRecords(service.databaseUrl);
    await records.query(
      `UPDATE configuration SET revision = revision + 1,
         brand = brand || '{"displayName": "Other Lending"}'`,
    );
    await records.close();
    await service.travel(5_000);
    for (const { url, headers } of before) {
      const tag = headers.get('etag') ?? '';
      const now = await get(new URL(url).pathname, { 'if-none-match': tag });
      expect(now.status).toBe(200);
      expect(await now.text()).toContain('Other Lending');
    }
  });
});

describe('with a port for the operator', () => {
  const OPERATORS = ['/metrics', '/health/live', '/health/ready'];

  it('answers metrics and health there', async () => {
    for (const path of OPERATORS) {
      const answer = await fetch(operator + path);
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.text();
    }
  });

  it('answers them nowhere else', async () => {
    for (const path of [...OPERATORS, '/METRICS', '/health', '/metrics/']) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.json()).toMatchObject({ success: false, code: 'route_not_found' });
    }
  });

  it('answers nothing else there', async () => {
    for (const path of ['/openapi.json', '/docs', '/api/v1/partner/products', '/sandbox/inbox']) {
      const answer = await fetch(operator + path);
      expect([path, answer.status]).toEqual([path, 404]);
      await answer.text();
    }
  });
});
