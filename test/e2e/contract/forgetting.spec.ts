import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Database, Idempotency } from '../../../src/platform/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService, type TestService } from '../../support/service.js';

// What is kept for a while is thrown away by the service itself, and not before its time. Its schedules
// are moved on by hand; all else keeps to the real time.

const HOUR_MS = 3_600_000;

let service: TestService;
let demo: PartnerClient;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  service = await startService();
  demo = partnerClient(service);
});

afterAll(async () => {
  await service.close();
  vi.useRealTimers();
});

async function rowsIn(table: 'request_nonces' | 'idempotent_answers'): Promise<number> {
  const [row] = await service
    .get<Database>(Database)
    .query<{ count: number }>(`SELECT count(*)::int FROM ${table}`);
  return row.count;
}

it('nonces are, within a minute of their time', async () => {
  expect((await demo.get('/products')).status).toBe(200);
  await service.travel(HOUR_MS);
  expect(await rowsIn('request_nonces')).toBe(1);
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => rowsIn('request_nonces')).toBe(0);
});

it('answers to an Idempotency-Key are, after a day and within ten minutes of it', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = loanRequest();
  const first = await demo.initiate(body, { headers });
  await service.travel(23.9 * HOUR_MS);
  await service.get<Idempotency>(Idempotency).forgetExpired();
  expect((await demo.initiate(body, { headers })).json).toEqual(first.json);
  await service.travel(0.2 * HOUR_MS);
  expect(await rowsIn('idempotent_answers')).toBe(1);
  vi.advanceTimersByTime(600_000);
  await expect.poll(() => rowsIn('idempotent_answers')).toBe(0);
});
