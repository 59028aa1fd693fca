// Isolated: stops time in its databases.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { type Answer, type PartnerClient } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { Schedule } from '../../support/schedule.js';
import { startService, type OwnService } from '../../support/service.js';
import {
  clientOf,
  issueKey,
  remainingOf,
  statusesOf,
  StoppedClock,
  UNKNOWN_JOURNEY,
} from './auth-harness.js';

// Check 5 of decisions §2, and §3: both windows of a key over HTTP, with stopped time.
// schema/admission.isolated.spec.ts tests the counting.

const NOON_IN_INDIA = new Date('2026-06-15T12:00:00.250+05:30');

let service: OwnService;
let clock: StoppedClock;
let schedule: Schedule;

beforeAll(async () => {
  schedule = Schedule.hold();
  service = await startService();
  clock = await StoppedClock.stop([service], NOON_IN_INDIA);
});

// Every test has its own keys, so none depends on another test's limits.
beforeEach(() => clock.moveTo(NOON_IN_INDIA));

afterAll(async () => {
  await service.close();
  schedule.letGo();
  vi.restoreAllMocks();
});

async function callMany(client: PartnerClient, count: number): Promise<Answer[]> {
  const answers = [];
  for (let i = 0; i < count; i += 1) answers.push(await client.get('/products'));
  return answers;
}

function figures({ status, headers }: Answer) {
  return {
    status,
    limit: headers['ratelimit-limit'],
    remaining: headers['ratelimit-remaining'],
    reset: headers['ratelimit-reset'],
    retryAfter: headers['retry-after'],
  };
}

describe('the minute', () => {
  it('is of 120 requests, and the day of 20,000, of a key without an arrangement; exactly as many are served', async () => {
    const [first] = await callMany(clientOf(service, sandboxCredentials('demo', 'demo')), 1);
    expect(figures(first)).toMatchObject({ status: 200, limit: '120', remaining: '119' });
    expect(first.headers['ratelimit-policy']).toBe('120;w=60, 20000;w=86400');
    const { client } = await issueKey(service, { perMinute: 2 });
    const answers = await callMany(client, 3);
    expect(answers.map(remainingOf)).toEqual([1, 0, 0]);
    expect(statusesOf(answers)).toEqual({ 200: 2, 429: 1 });
    expect(answers[2]).toBeRefused('rate_limited');
  });
});

describe('the day', () => {
  it('ends at midnight in India, not in Greenwich, and Retry-After and RateLimit-Reset say when that is', async () => {
    await clock.moveTo(new Date('2026-06-15T23:59:50+05:30'));
    const { client } = await issueKey(service, { perDay: 3 });
    const answers = await callMany(client, 4);
    const shown = answers.map((answer) => Object.values(figures(answer)));
    expect(shown).toEqual([
      [200, '3', '2', '10', undefined],
      [200, '3', '1', '10', undefined],
      [200, '3', '0', '10', undefined],
      [429, '3', '0', '10', '10'],
    ]);
    expect(answers[3]).toBeRefused('rate_limited');
    expect(answers[3].headers['ratelimit-policy']).toBe('100000;w=60, 3;w=86400');
    await clock.forward(9);
    expect(await client.get('/products')).toBeRefused('rate_limited');
    await clock.forward(1);
    expect(figures(await client.get('/products'))).toMatchObject({ remaining: '2' });
    await clock.moveTo(new Date('2026-06-16T00:00:00Z'));
    expect(figures(await client.get('/products'))).toMatchObject({ remaining: '1' });
  });

  it('is what the headers show once it is nearer to its end than the minute, and what a caller waits for when both are full', async () => {
    const { client } = await issueKey(service, { perMinute: 3, perDay: 4 });
    const shown = (await callMany(client, 2)).map(figures);
    expect(shown).toMatchObject([
      { limit: '3', remaining: '2' },
      { limit: '3', remaining: '1' },
    ]);
    await clock.forward(61);
    expect(figures(await client.get('/products'))).toMatchObject({ limit: '4', remaining: '1' });
    const both = await issueKey(service, { perMinute: 2, perDay: 2 });
    const [, last, refused] = (await callMany(both.client, 3)).map(figures);
    const untilMidnight = String(12 * 3_600 - 61);
    expect(last).toMatchObject({ status: 200, remaining: '0', reset: untilMidnight });
    expect(refused).toMatchObject({ status: 429, retryAfter: untilMidnight });
  });
});

describe('what counts against a key', () => {
  it('every request that was admitted, whatever became of it', async () => {
    const { client } = await issueKey(service, { perMinute: 10, scopes: ['journeys:write'] });
    const answers = [
      await client.initiate('not json'),
      await client.initiate({}),
      await client.get('/products'),
      await client.action(UNKNOWN_JOURNEY, 'x', 'SELECT_OFFER', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 403, 404]);
    expect(answers.map(remainingOf)).toEqual([9, 8, 7, 6]);
  });

  it('no request that failed before: a caller who merely saw a key does not use its quota up', async () => {
    const { apiKey, client } = await issueKey(service, { perMinute: 1 });
    const replayed = { nonce: randomUUID() };
    const other = await issueKey(service);
    await other.client.get('/products', { overrides: replayed });
    await client.get('/products', { headers: { 'x-signature': null } });
    await client.get('/products', { overrides: { signature: 'a'.repeat(64) } });
    await client.get('/products', { overrides: { timestamp: '1700000000' } });
    await other.client.get('/products', { overrides: { apiKey } });
    await other.client.get('/products', { overrides: replayed });
    await client.get('/nothing');
    await client.post('/webhooks', 'x'.repeat(200_000));
    expect(figures(await client.get('/products'))).toMatchObject({ status: 200, remaining: '0' });
    expect(figures(await client.get('/products'))).toMatchObject({ status: 429 });
  });
});

/** Runs the scheduled clean-up until it has deleted an old nonce that is inserted for this. */
async function cleaned(): Promise<void> {
  const database = service.get<Database>(Database);
  const nonce = randomUUID();
  await database.query(
    `INSERT INTO request_nonces (key_id, nonce, seen_at)
     SELECT key_id, $1, real_now() - interval '1 day' FROM request_nonces LIMIT 1`,
    [nonce],
  );
  await schedule.pass(60_000);
  await eventually(async () => {
    const left = await database.query('SELECT 1 FROM request_nonces WHERE nonce = $1', [nonce]);
    expect(left).toEqual([]);
  });
}

describe('a nonce is known', () => {
  it('for as long as its timestamp can come back, to the last fraction of a second', async () => {
    await clock.moveTo(new Date('2026-06-15T06:30:00.000Z'));
    const { id, client } = await issueKey(service);
    // The timestamp is as far ahead as allowed, so it is valid until the 601st second from now begins.
    const timestamp = String(clock.epochSeconds + 300);
    const overrides = { nonce: randomUUID(), timestamp };
    expect((await client.get('/products', { overrides })).status).toBe(200);
    for (const seconds of [599, 1, 0.001, 0.998]) {
      await clock.forward(seconds);
      await cleaned();
      expect(await client.get('/products', { overrides })).toBeRefused('nonce_reused');
    }
    await clock.forward(0.001);
    expect(await client.get('/products', { overrides })).toBeRefused('invalid_signature');
    // The schedule deletes it within a minute.
    const kept = () =>
      service.get<Database>(Database).query('SELECT 1 FROM request_nonces WHERE key_id = $1', [id]);
    expect(await kept()).toHaveLength(1);
    await clock.forward(60);
    await schedule.pass(60_000);
    await eventually(async () => expect(await kept()).toEqual([]));
  });
});
