// Isolated: stops time in its database, and starts with other environments.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SignatureExplainer } from '../../../src/auth/signature-explainer.js';
import type { Answer, PartnerClient } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, type OwnService } from '../../support/service.js';
import {
  clientOf,
  expectNoTrace,
  issueKey,
  remainingOf,
  statusesOf,
  StoppedClock,
  type TestKey,
} from './auth-harness.js';

// Decisions §2: requests that fail before they are counted against a key are limited per address.

let service: OwnService;
let clock: StoppedClock;
let key: TestKey;

async function start(environment: Record<string, string> = {}): Promise<void> {
  service = await startService({ environment });
  clock = await StoppedClock.stop([service], new Date('2026-06-15T12:00:00+05:30'));
}

async function stop(): Promise<void> {
  vi.restoreAllMocks();
  await service.close();
}

beforeEach(async () => {
  key = await issueKey(service, { perMinute: 50 });
  // What the test before has used up is over.
  await clock.forward(60);
});

function unsigned(client: PartnerClient, from?: string): Promise<Answer> {
  const headers = { 'x-signature': null, ...(from && { 'x-forwarded-for': from }) };
  return client.get('/products', { headers });
}

async function fail(count: number, from?: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const batch = Math.min(20, count - answers.length);
    answers.push(
      ...(await Promise.all(Array.from({ length: batch }, () => unsigned(key.client, from)))),
    );
  }
  return answers;
}

const missing = {
  status: 401,
  code: 'malformed_credentials',
  error: 'The x-signature header is missing',
};

describe('requests of one address that fail before they are counted against a key', () => {
  beforeAll(() => start());

  afterAll(stop);

  it('are 600 a minute; then they are 429, and a good caller beside them is served still', async () => {
    const failures = await fail(600);
    expect(statusesOf(failures)).toEqual({ 401: 600 });
    expect(failures.map(remainingOf).toSorted((a, b) => b - a)).toEqual(
      Array.from({ length: 600 }, (_, n) => 599 - n),
    );
    const refused = await unsigned(key.client);
    expect(refused).toBeRefused('rate_limited');
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': '600',
      'ratelimit-remaining': '0',
      'ratelimit-policy': '600;w=60',
      'ratelimit-reset': '60',
      'retry-after': '60',
    });
    const good = await key.client.get('/products');
    expect({ status: good.status, remaining: remainingOf(good) }).toEqual({
      status: 200,
      remaining: 49,
    });
    // Whom the key's own limits answer for gets the answer that the call deserves.
    expect(await key.client.initiate({})).toBeRefused('validation_failed');
    expect(await key.client.get('/journey/unknown')).toBeRefused('journey_not_found');
  });

  it('are answered as they deserve again after Retry-After, and not a second earlier', async () => {
    await fail(1);
    await clock.forward(20);
    await fail(599);
    const refused = await unsigned(key.client);
    expect(refused.headers['retry-after']).toBe('40');
    await clock.forward(39);
    expect(await unsigned(key.client)).toBeRefused('rate_limited');
    await clock.forward(1);
    const again = await unsigned(key.client);
    expect(again).toBeFailure(missing);
    expect(remainingOf(again)).toBe(599);
  });

  it('have no hint once they are refused: making one costs more than all else', async () => {
    const explain = vi.spyOn(service.get<SignatureExplainer>(SignatureExplainer), 'explain');
    const wrong = () => key.client.get('/products', { overrides: { signature: 'a'.repeat(64) } });
    expect((await wrong()).json).toHaveProperty('hint');
    await fail(599);
    expect(await wrong()).toBeRefused('rate_limited');
    expect(explain).toHaveBeenCalledTimes(1);
  });

  it('leave nothing in the database, neither below the limit nor above', async () => {
    await expectNoTrace(service, () => fail(610));
  });

  it('are of every kind: each one takes one from what remains', async () => {
    const nonce = '0f8fad5b-d9cb-469f-a165-70867728950e';
    await key.client.get('/products', { overrides: { nonce } });
    const suspended = clientOf(service, sandboxCredentials('suspended'));
    const failures = [
      await unsigned(key.client),
      await key.client.get('/products', { overrides: { apiKey: 'nobody' } }),
      await key.client.get('/products', { overrides: { signature: 'a'.repeat(64) } }),
      await key.client.get('/products', { overrides: { timestamp: '1700000000' } }),
      await suspended.get('/products'),
      await key.client.get('/products', { overrides: { nonce } }),
      await key.client.get('/nothing'),
      await key.client.post('/webhooks', 'x'.repeat(200_000)),
    ];
    expect(failures.map(({ status }) => status)).toEqual([401, 401, 401, 401, 403, 401, 404, 413]);
    expect(failures.map(remainingOf)).toEqual([599, 598, 597, 596, 595, 594, 593, 592]);
  });

  it('are not taken from by calls that a key answers for', async () => {
    await key.client.get('/products');
    await key.client.initiate({});
    await key.client.get('/journey/unknown');
    expect(remainingOf(await unsigned(key.client))).toBe(599);
  });

  it('are one address’s, whatever X-Forwarded-For says, when no proxy is trusted', async () => {
    expect(remainingOf(await unsigned(key.client, '203.0.113.1'))).toBe(599);
    expect(remainingOf(await unsigned(key.client, '203.0.113.2'))).toBe(598);
  });
});

describe('behind a proxy that TRUST_PROXY names', () => {
  beforeAll(() => start({ TRUST_PROXY: '1' }));

  afterAll(stop);

  it('every client has a limit of its own, and cannot shed it by a header of its own', async () => {
    await fail(600, '203.0.113.1');
    expect(await unsigned(key.client, '203.0.113.1')).toBeRefused('rate_limited');
    expect(await unsigned(key.client, '198.51.100.7, 203.0.113.1')).toBeRefused('rate_limited');
    const other = await unsigned(key.client, '203.0.113.2');
    expect(other).toBeFailure(missing);
    expect(remainingOf(other)).toBe(599);
  });

  it('an IPv6 client has the limit of its /64, whichever of its addresses it takes', async () => {
    await Promise.all([
      fail(300, '2001:db8:7:1::1'),
      fail(300, '2001:db8:7:1:ffff:ffff:ffff:ffff'),
    ]);
    expect(await unsigned(key.client, '2001:db8:7:1:a::b')).toBeRefused('rate_limited');
    expect(remainingOf(await unsigned(key.client, '2001:db8:7:2::1'))).toBe(599);
  });

  it('a browser that is refused is led nowhere but here, whatever its address was', async () => {
    const from = '203.0.113.5';
    await fail(600, from);
    const page = await fetch(`${service.baseUrl}//elsewhere.example/x`, {
      headers: { accept: 'text/html', 'x-forwarded-for': from },
    });
    expect(page.status).toBe(429);
    const links = [...(await page.text()).matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to]) => to);
    expect(links).toContain('/elsewhere.example/x');
    expect(links.filter((to) => to.startsWith('//'))).toEqual([]);
  });
});
