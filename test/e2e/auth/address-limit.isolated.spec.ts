// Isolated: stops time in its database, and uses up the limit of failures per address.
import './answer-matchers.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SignatureExplainer } from '../../../src/auth/signature-explainer.js';
import type { Answer } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { type OwnService, startService } from '../../support/service.js';
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

const HOME = '203.0.113.1';

let service: OwnService;
let clock: StoppedClock;
let key: TestKey;

beforeAll(async () => {
  service = await startService({ environment: { TRUST_PROXY: '1' } });
  clock = await StoppedClock.stop([service], new Date('2026-06-15T12:00:00+05:30'));
});

beforeEach(async () => {
  key = await issueKey(service, { perMinute: 50 });
  // The limit that the previous test used up is free again.
  await clock.forward(60);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await service.close();
});

function unsigned(from = HOME): Promise<Answer> {
  return key.client.get('/products', { headers: { 'x-signature': null, 'x-forwarded-for': from } });
}

async function fail(count: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const batch = Math.min(20, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: batch }, () => unsigned()))));
  }
  return answers;
}

const missing = {
  status: 401,
  code: 'malformed_credentials',
  error: 'The x-signature header is missing',
};

describe('requests of one address that fail before they are counted against a key', () => {
  it('are 600 a minute, and leave nothing in the database; then they are 429 until Retry-After, and a good caller beside them is served still', async () => {
    const explain = vi.spyOn(service.get<SignatureExplainer>(SignatureExplainer), 'explain');
    const headers = { 'x-forwarded-for': HOME };
    const overrides = { signature: 'a'.repeat(64) };
    const wrong = () => key.client.get('/products', { overrides, headers });
    expect((await wrong()).json).toHaveProperty('hint');
    await clock.forward(20);
    await expectNoTrace(service, async () => {
      const failures = await fail(599);
      expect(statusesOf(failures)).toEqual({ 401: 599 });
      expect(failures.map(remainingOf).toSorted((a, b) => b - a)).toEqual(
        Array.from({ length: 599 }, (_, n) => 598 - n),
      );
    });
    const refused = await unsigned();
    expect(refused).toBeRefused('rate_limited');
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': '600',
      'ratelimit-remaining': '0',
      'ratelimit-policy': '600;w=60',
      'ratelimit-reset': '40',
      'retry-after': '40',
    });
    // A hint costs more than all other failures.
    expect(await wrong()).toBeRefused('rate_limited');
    expect(explain).toHaveBeenCalledTimes(1);
    const good = await key.client.get('/products', { headers });
    expect([good.status, remainingOf(good)]).toEqual([200, 49]);
    // Callers within their key's limits get the usual response.
    expect(await key.client.initiate({}, { headers })).toBeRefused('validation_failed');

    // Each client address has its own limit, and a forged header does not avoid it.
    expect(await unsigned(`198.51.100.7, ${HOME}`)).toBeRefused('rate_limited');
    const other = await unsigned('203.0.113.2');
    expect(other).toBeFailure(missing);
    expect(remainingOf(other)).toBe(599);
    // A rejected browser is not redirected to another host.
    const page = await fetch(`${service.baseUrl}//elsewhere.example/x`, {
      headers: { accept: 'text/html', ...headers },
    });
    expect(page.status).toBe(429);
    const links = [...(await page.text()).matchAll(/<a [^>]*href="([^"]*)"/g)];
    expect(links.map(([, to]) => to)).toContain('/elsewhere.example/x');
    expect(links.filter(([, to]) => to.startsWith('//'))).toEqual([]);

    await clock.forward(39);
    expect(await unsigned()).toBeRefused('rate_limited');
    await clock.forward(1);
    const again = await unsigned();
    expect(again).toBeFailure(missing);
    expect(remainingOf(again)).toBe(599);
  });

  it('are of every kind: each one takes one from what remains', async () => {
    const nonce = '0f8fad5b-d9cb-469f-a165-70867728950e';
    await key.client.get('/products', { overrides: { nonce } });
    const suspended = clientOf(service, sandboxCredentials('suspended'));
    const failures = [
      await key.client.get('/products', { headers: { 'x-signature': null } }),
      await key.client.get('/products', { overrides: { apiKey: 'unknown' } }),
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
});
