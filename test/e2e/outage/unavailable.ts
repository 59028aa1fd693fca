import { expect } from 'vitest';
import type { PartnerClient } from '../../support/partner-client.js';

interface Addressed {
  readonly baseUrl: string;
}

/** Below the statement timeout of 15 s: no call may wait for a database that is down, even on a busy machine. */
export const QUICK_MS = 10_000;

export async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

export async function healthOf(
  service: Addressed,
  check: 'live' | 'ready',
): Promise<{ status: number; retryAfter: number }> {
  const { status, headers, body } = await fetch(`${service.baseUrl}/health/${check}`);
  await body?.cancel();
  return { status, retryAfter: Number(headers.get('retry-after')) };
}

export async function expectUnavailable(demo: PartnerClient, withinMs = QUICK_MS): Promise<void> {
  const [{ status, headers, json }, ms] = await timed(() => demo.get('/products?away=1'));
  expect({ status, ...json }).toEqual({
    status: 503,
    success: false,
    error: 'The service is unavailable; retry later',
    code: 'service_unavailable',
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['ratelimit-remaining']).toBeDefined();
  expect(ms).toBeLessThan(withinMs);
}

export async function expectLiveButNotReady(service: Addressed): Promise<void> {
  const [live, liveMs] = await timed(() => healthOf(service, 'live'));
  const [ready, readyMs] = await timed(() => healthOf(service, 'ready'));
  expect([live.status, ready.status]).toEqual([200, 503]);
  expect(ready.retryAfter).toBeGreaterThan(0);
  expect(Math.max(liveMs, readyMs)).toBeLessThan(QUICK_MS);
}
