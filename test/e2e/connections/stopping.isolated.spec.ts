// Isolated: stops processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldConnection } from '../../support/held-connection.js';
import { HeldLock } from '../../support/held-lock.js';
import { act, journeyIn } from '../../support/journey-driver.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { signedHead } from './signed-head.js';

// Each of these starts a process.
vi.setConfig({ testTimeout: 90_000 });

const MAX_MS = 15_000;
const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;

let database: TestDatabase;
let service: SpawnedService;
let partner: PartnerClient;
let held: HeldConnection[];

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  service = await spawnService({ databaseUrl: database.url });
  partner = partnerClient(service);
  held = [];
});

afterEach(async () => {
  for (const connection of held) connection.hangUp();
  await service?.kill();
});

afterAll(() => database?.drop());

async function hold(bytes = ''): Promise<HeldConnection> {
  const connection = await HeldConnection.open(service.baseUrl, bytes);
  held.push(connection);
  return connection;
}

/** A client of each kind that keeps its connection and the service waiting. */
async function holdOfEachKind(): Promise<void> {
  const whole = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
  await hold();
  await hold('GET /health/live HTTP/1.1\r\nHos');
  await hold(`${signedHead('POST', INITIATE, { length: 1_000 })}{"half":`);
  await hold(`POST /hosted/link HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nmobile=`);
  await (await hold(whole)).answered(1);
  const deaf = (await hold()).readNothing();
  deaf.write(
    'GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16),
  );
}

/** SIGTERM; answers the exit code and how long it took. */
function stopping(): Promise<{ code: number | null; ms: number }> {
  const startedAt = performance.now();
  return service.stop().then((code) => ({ code, ms: performance.now() - startedAt }));
}

/** By the service's own metrics. */
async function openConnections(): Promise<number> {
  const answer = await fetch(`${service.baseUrl}/metrics`);
  return Number(/^http_connections (\d+)$/m.exec(await answer.text())?.[1]);
}

describe('SIGTERM while clients hold connections on which they send or read nothing more', () => {
  it('ends the service with 0 in 15 s, and what is in flight is answered', async () => {
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    await holdOfEachKind();
    const late = await hold(`${signedHead('POST', INITIATE, { length: 2 })}{`);
    const lock = await HeldLock.take(
      database.url,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const answer = act(partner, journey, 'SELECT_OFFER');
    await lock.waiting('journey_redirects');
    const ended = stopping();
    await sleep(1_500);
    // Whoever was just sending has the time to.
    late.write('}');
    expect(await late.answered(1)).toEqual([401]);
    await lock.release();
    const { status, json } = await answer;
    expect([status, json.data.nextAction.type]).toEqual([200, 'REDIRECT_TO_KYC']);
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(MAX_MS);
    expect(service.output()).not.toMatch(/"level":[56]0/);
  });

  it('ends it although a request in flight never comes to its end', async () => {
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    const lock = await HeldLock.take(
      database.url,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const answer = act(partner, journey, 'SELECT_OFFER').catch(() => 'cut');
    await lock.waiting('journey_redirects');
    const { code, ms } = await stopping();
    await lock.release();
    expect(await answer).toBe('cut');
    expect(code).toBe(1);
    expect(ms).toBeLessThan(MAX_MS);
  });

  it('ends it at once on a second signal, a second later', async () => {
    await holdOfEachKind();
    const ended = stopping();
    process.kill(service.pid, 'SIGTERM');
    // A signal counts as the second one a second after the first was heard.
    await expect.poll(() => partner.get('/products').catch(() => 'refused')).toBe('refused');
    await sleep(1_500);
    const startedAt = performance.now();
    process.kill(service.pid, 'SIGTERM');
    expect((await ended).code).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('ends it in the middle of hundreds of them, beside whom a good caller was answered', async () => {
    for (let i = 0; i < 40; i += 1) await holdOfEachKind();
    // Those whose time is over are not held on to.
    expect(await openConnections()).toBeGreaterThan(100);
    const journey = await journeyIn(partner, 'OFFERS_RECEIVED');
    expect((await act(partner, journey, 'SELECT_OFFER')).status).toBe(200);
    const { code, ms } = await stopping();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(MAX_MS);
  });

  it('takes no new connections', async () => {
    await holdOfEachKind();
    const ended = stopping();
    await expect.poll(() => partner.get('/products').catch(() => 'refused')).toBe('refused');
    expect((await ended).code).toBe(0);
  });
});
