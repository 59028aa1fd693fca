import { expect } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { StartedJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import type { PartnerClient } from '../../support/partner-client.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';

interface Addressed {
  readonly baseUrl: string;
}

/** Less than the statement timeout of 15 s: no call may wait for an unavailable database, even on a busy machine. */
const QUICK_MS = 10_000;

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

async function healthOf(
  service: Addressed,
  check: 'live' | 'ready',
): Promise<{ status: number; retryAfter: number }> {
  const { status, headers, body } = await fetch(`${service.baseUrl}/health/${check}`);
  await body?.cancel();
  return { status, retryAfter: Number(headers.get('retry-after')) };
}

/** How long a service may take to come back. */
export const BACK_MS = 15_000;

export async function untilReady(service: Addressed): Promise<void> {
  await eventually(async () => expect((await healthOf(service, 'ready')).status).toBe(200), {
    withinMs: BACK_MS,
  });
}

/** The sequence numbers of a journey's received events. */
export function sequencesOf({ deliveries }: WebhookReceiver, id: string): Set<number> {
  const events = deliveries.map((delivery) => delivery.json());
  return new Set(events.flatMap(({ journeyId, sequence }) => (journeyId === id ? [sequence] : [])));
}

export async function expectUnavailable(demo: PartnerClient, withinMs = QUICK_MS): Promise<void> {
  const [{ status, headers, json }, ms] = await timed(() => demo.get('/products?away=1'));
  expect({ status, ...json }).toEqual({
    status: 503,
    success: false,
    error: 'The service is unavailable; retry later',
    code: 'service_unavailable',
    requestId: headers['x-request-id'],
    docs: expect.stringMatching(/\/docs\/errors#service_unavailable$/),
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

/** Expects 503 for a start and for a read of a journey. */
export async function expectRefused(demo: PartnerClient, journey: StartedJourney): Promise<void> {
  const { id, session } = journey;
  for (const call of [demo.initiate(loanRequest()), demo.journey(id, session)])
    expect((await call).status).toBe(503);
}
