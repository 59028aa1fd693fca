import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, Database, Idempotency, sha256 } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import type { CreatedInstantLoan } from '../../support/instant-loans.js';
import { loanRequest } from '../../support/loan-requests.js';
import {
  type Answer,
  type Initiated,
  type PartnerClient,
  partnerClient,
} from '../../support/partner-client.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { issueKey, remainingOf } from '../auth/auth-harness.js';

const HOUR_MS = 3_600_000;

let replicas: SharedReplicas;
let demo: PartnerClient;
let elsewhere: PartnerClient;

beforeAll(async () => {
  replicas = await sharedReplicas();
  demo = partnerClient(replicas.first);
  elsewhere = partnerClient(replicas.second);
});

function start(key: string, body: object | string = loanRequest(), client = demo) {
  return client.initiate(body, { headers: { 'idempotency-key': key } });
}

function query<Row extends Record<string, unknown>>(
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return replicas.first.get<Database>(Database).query<Row>(sql, values);
}

/** Expects 200 without a replay. */
async function startFresh(...call: Parameters<typeof start>): Promise<Answer<Initiated>> {
  const answer = await start(...call);
  expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, undefined]);
  return answer;
}

async function journeysThere(): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int FROM journeys WHERE partner_id = $1',
    [replicas.first.partnerId],
  );
  return row.count;
}

function expectReplayed(again: Answer<Initiated>, first: Answer<Initiated>): void {
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.json).toEqual(first.json);
}

describe('the same Idempotency-Key with the same body', () => {
  it.each(['API_HEADLESS', 'API_HOSTED'] as const)(
    'gets the first answer again, on any replica, quoted or without /api, and starts nothing more: %s',
    async (channel) => {
      const key = randomUUID();
      const body = loanRequest({ channel });
      const first = await startFresh(key, body);
      const before = await journeysThere();
      expectReplayed(await start(key, body, elsewhere), first);
      expectReplayed(await start(`"${key}"`, body), first);
      const headers = { 'idempotency-key': key };
      const unprefixed = '/v1/partner/journey/initiate';
      expectReplayed(await demo.request('POST', unprefixed, { body, headers }), first);
      expect(await journeysThere()).toBe(before);
    },
  );

  it('is the partner’s: another key of its own is answered alike, another partner is not', async () => {
    const key = randomUUID();
    const body = loanRequest();
    const first = await start(key, body);
    const sibling = await issueKey(replicas.first);
    expectReplayed(await start(key, body, sibling.client), first);
    const other = await startFresh(
      key,
      body,
      partnerClient(replicas.first, { partner: 'limited' }),
    );
    expect(other.json.data.journeyId).not.toBe(first.json.data.journeyId);
  });

  it('is a new request all the same: it is counted, and its nonce is its own', async () => {
    const { client } = await issueKey(replicas.first, { perMinute: 10 });
    const key = randomUUID();
    const nonce = randomUUID();
    const options = { headers: { 'idempotency-key': key }, overrides: { nonce } };
    const first = await client.initiate(loanRequest(), options);
    expect(remainingOf(first)).toBe(9);
    expect((await client.initiate(loanRequest(), options)).json.code).toBe('nonce_reused');
    const again = await start(key, loanRequest(), client);
    expectReplayed(again, first);
    expect(remainingOf(again)).toBe(8);
  });

  it('is forgotten after 24 hours and not before, with the cleaning at work', async () => {
    const [key, unused] = [randomUUID(), randomUUID()];
    const [first] = [await start(key), await start(unused)];
    const cleaned = () => replicas.first.get<Idempotency>(Idempotency).forgetExpired();
    await replicas.travel(24 * HOUR_MS - 60_000);
    await cleaned();
    expectReplayed(await start(key), first);
    await replicas.travel(61_000);
    const later = await startFresh(key);
    expect(later.json.data.journeyId).not.toBe(first.json.data.journeyId);
    await cleaned();
    const kept = 'SELECT FROM idempotent_answers WHERE idempotency_key = $1';
    expect(await query(kept, [unused])).toEqual([]);
    expect(await query(kept, [key])).toHaveLength(1);
  });
});

/** Blocks requests that write an application. */
async function lockedApplications(): Promise<HeldLock> {
  // Otherwise journeys of earlier tests would also wait for the lock and hold connections.
  await eventually(async () => {
    const open = await query(
      `SELECT FROM lender_questions WHERE status = 'OPEN' AND partner_id = $1`,
      [replicas.first.partnerId],
    );
    expect(open).toHaveLength(0);
  });
  return HeldLock.take(replicas.first.databaseUrl, 'LOCK TABLE applications IN EXCLUSIVE MODE');
}

describe('409: the Idempotency-Key is taken', () => {
  it('by another body: another value, one unknown field more', async () => {
    const key = randomUUID();
    const body = loanRequest();
    await start(key, body);
    const before = await journeysThere();
    for (const other of [
      { ...body, loanAmount: 5_000 },
      { ...body, unknown: 1 },
    ]) {
      const { status, json } = await start(key, other);
      expect([status, json.code]).toEqual([409, 'idempotency_key_reused']);
    }
    expect(await journeysThere()).toBe(before);
  });

  it('by the first request while it is in flight, at once and on any replica', async () => {
    const key = randomUUID();
    const lock = await lockedApplications();
    const first = start(key);
    await lock.waiting('applications');
    for (const client of [demo, elsewhere]) {
      const { status, json, headers } = await start(key, loanRequest(), client);
      expect([status, json.code]).toEqual([409, 'idempotency_in_flight']);
      expect(headers['retry-after']).toBe('1');
    }
    await lock.release();
    expect((await first).status).toBe(200);
    expectReplayed(await start(key), await first);
  });

  it('starts one journey when many send it at the same moment', async () => {
    const key = randomUUID();
    const before = await journeysThere();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => start(key, loanRequest(), n % 2 ? demo : elsewhere)),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const ids = answers.flatMap(({ status, json }) => (status === 200 ? json.data.journeyId : []));
    expect(new Set(ids).size).toBe(1);
    expect(await journeysThere()).toBe(before + 1);
  });
});

describe('what is kept under an Idempotency-Key', () => {
  it('is not a refusal: the body is looked at first, and a later success counts', async () => {
    const key = randomUUID();
    const bad = () => start(key, { ...loanRequest(), mobile: '1' });
    expect((await bad()).status).toBe(400);
    const without = await issueKey(replicas.first, { products: ['ONLINE_GOLD'] });
    expect((await start(key, loanRequest(), without.client)).status).toBe(403);
    await startFresh(key);
    expect((await bad()).status).toBe(400);
  });

  it('is sealed, its body’s hash keyed, and written by the transaction that starts the journey', async () => {
    const key = randomUUID();
    const { json } = await start(key);
    const { journeyId, journeySession } = json.data;
    const [kept] = await query<{ row: string; writer: string }>(
      `SELECT a::text AS row, xmin::text AS writer FROM idempotent_answers a
       WHERE idempotency_key = $1`,
      [key],
    );
    expect(kept.row).toContain('v1:test:');
    expect(kept.row).not.toContain(journeySession);
    // A bare hash of a body could be reversed by trying every PAN.
    const body = JSON.stringify(loanRequest());
    for (const text of [body, canonicalJson(loanRequest())]) {
      expect(kept.row).not.toContain(sha256(text));
    }
    const [started] = await query<{ writer: string }>(
      `SELECT xmin::text AS writer FROM journey_audit
       WHERE journey_id = $1 AND trigger = 'STARTED'`,
      [journeyId],
    );
    expect(kept.writer).toBe(started.writer);
  });
});

describe('one Idempotency-Key at both calls that take one', () => {
  // Both calls accept this body, so only the call differs.
  const BODY = loanRequest({ loanAmount: 40_000 });
  const apply = (key: string) =>
    demo.post<CreatedInstantLoan>('/instant-loans', BODY, { headers: { 'idempotency-key': key } });

  it('is two keys: each call does its work once, without waiting for the other, and replays its own answer', async () => {
    const key = randomUUID();
    const lock = await lockedApplications();
    const journey = start(key, BODY);
    await lock.waiting('applications');
    // If both shared one key, this would be a 409 at once.
    const loan = apply(key);
    await lock.waiting('applications', 2);
    await lock.release();
    expect((await journey).json.data.journeyId).toMatch(/^jrn_/);
    expect((await loan).json.data.redirectUrl).toContain((await loan).json.data.applicationId);
    for (const [again, first] of [
      [await start(key, BODY), await journey],
      [await apply(key), await loan],
    ]) {
      expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.json).toEqual(first.json);
    }
  });
});
