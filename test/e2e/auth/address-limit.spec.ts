import './answer-matchers.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Response } from 'express';
import { SignatureExplainer } from '../../../src/auth/signature-explainer.js';
import { AddressLimiter, Clock, type RawRequest } from '../../../src/platform/index.js';
import type { Answer } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { clientOf, expectNoTrace, issueKey, remainingOf, type TestKey } from './auth-harness.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';

// Decisions §2: requests that fail before they are counted against a key are limited per address. The counting:
// src/platform/http/address-limiter.spec.ts.

const HOME = '198.18.0.1';
const FROM_HOME = { headers: { 'x-forwarded-for': HOME } };

let service: TestService;
let key: TestKey;
let seconds = 0;

beforeAll(async () => {
  service = await sharedService();
  const start = Date.now();
  // The test decides when the windows begin and end.
  vi.spyOn(service.get<Clock>(Clock), 'now').mockImplementation(
    () => new Date(start + seconds * 1_000),
  );
  key = await issueKey(service, { perMinute: 50 });
});

beforeEach(() => {
  seconds += 60;
});

afterAll(() => vi.restoreAllMocks());

function unsigned(from = HOME): Promise<Answer> {
  return key.client.get('/products', { headers: { 'x-signature': null, 'x-forwarded-for': from } });
}

/** Counts failures of requests from home, without the network. */
function fail(times: number): void {
  const limiter = service.get<AddressLimiter>(AddressLimiter);
  const sent = { headersSent: true } as Response;
  for (let time = 0; time < times; time += 1)
    limiter.countFailure({ ip: HOME } as RawRequest, sent);
}

const missing = {
  status: 401,
  code: 'malformed_credentials',
  error: 'The x-signature header is missing',
};

describe('requests of one address that fail before they are counted against a key', () => {
  it('are 600 a minute, and leave nothing in the database; then they are 429 until Retry-After, and a good caller beside them is served still', async () => {
    const explain = vi.spyOn(service.get<SignatureExplainer>(SignatureExplainer), 'explain');
    const overrides = { signature: 'a'.repeat(64) };
    const wrong = () => key.client.get('/products', { overrides, ...FROM_HOME });
    expect((await wrong()).json).toHaveProperty('hint');
    seconds += 20;
    fail(597);
    await expectNoTrace(service, async () => {
      expect([await unsigned(), await unsigned()].map(remainingOf)).toEqual([1, 0]);
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
    // A hint uses more of the limit than any other failure.
    expect(await wrong()).toBeRefused('rate_limited');
    expect(explain).toHaveBeenCalledTimes(1);
    const good = await key.client.get('/products', FROM_HOME);
    expect([good.status, remainingOf(good)]).toEqual([200, 49]);
    // Within the key's own limits the caller gets the usual response.
    expect(await key.client.initiate({}, FROM_HOME)).toBeRefused('validation_failed');

    // Each client address has its own limit, and a forged header does not avoid it.
    expect(await unsigned(`198.51.100.7, ${HOME}`)).toBeRefused('rate_limited');
    const other = await unsigned('198.18.0.2');
    expect(other).toBeFailure(missing);
    expect(remainingOf(other)).toBe(599);
    // A rejected browser is not redirected to another host.
    const page = await fetch(`${service.baseUrl}//elsewhere.example/x`, {
      headers: { accept: 'text/html', ...FROM_HOME.headers },
    });
    expect(page.status).toBe(429);
    const links = [...(await page.text()).matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to]) => to);
    expect(links).toContain('/elsewhere.example/x');
    expect(links.filter((to) => to.startsWith('//'))).toEqual([]);

    seconds += 40;
    const again = await unsigned();
    expect(again).toBeFailure(missing);
    expect(remainingOf(again)).toBe(599);
  });

  it('are of every kind: each one takes one from what remains', async () => {
    const overrides = { nonce: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    await key.client.get('/products', { overrides });
    const suspended = clientOf(service, sandboxCredentials('suspended'));
    const failures = [
      await unsigned(),
      await key.client.get('/products', { overrides: { apiKey: 'unknown' }, ...FROM_HOME }),
      await key.client.get('/products', { overrides: { timestamp: '1700000000' }, ...FROM_HOME }),
      await suspended.get('/products', FROM_HOME),
      await key.client.get('/products', { overrides, ...FROM_HOME }),
      await key.client.get('/nothing', FROM_HOME),
      await key.client.post('/webhooks', 'x'.repeat(200_000), FROM_HOME),
    ];
    expect(failures.map(({ status }) => status)).toEqual([401, 401, 401, 403, 401, 404, 413]);
    expect(failures.map(remainingOf)).toEqual([599, 598, 597, 596, 595, 594, 593]);
  });
});
