import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SmsOutbox } from '../../../src/messaging/index.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  applyForInstantLoan,
  type CreatedInstantLoan,
  type InstantLoanOptions,
} from '../../support/instant-loans.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';

const HOUR_MS = 3_600_000;

let replicas: SharedReplicas;
let demo: PartnerClient;
let elsewhere: PartnerClient;

beforeAll(async () => {
  replicas = await sharedReplicas();
  demo = partnerClient(replicas.first);
  elsewhere = partnerClient(replicas.second);
});

function apply(key: string, options: InstantLoanOptions = {}, client = demo) {
  return applyForInstantLoan(client, options, key);
}

function query<Row extends Record<string, unknown>>(
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return replicas.first.get<Database>(Database).query<Row>(sql, values);
}

async function loansThere(): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int FROM instant_loans WHERE partner_id = $1',
    [replicas.first.partnerId],
  );
  return row.count;
}

function expectReplayed(
  again: Answer<CreatedInstantLoan>,
  first: Answer<CreatedInstantLoan>,
): void {
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.json).toEqual(first.json);
}

describe('the same Idempotency-Key with the same body', () => {
  it.each([
    ['the SMS went out', 'ABCDE1234F', true],
    ['the SMS gateway was down', 'SANDX0011A', false],
  ])('gets the first answer again, on any replica: %s', async (_, pan, smsSent) => {
    const key = randomUUID();
    const first = await apply(key, { pan });
    expect(first.json.data.smsSent).toBe(smsSent);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const before = await loansThere();
    expectReplayed(await apply(key, { pan }), first);
    expectReplayed(await apply(key, { pan }, elsewhere), first);
    expect(await loansThere()).toBe(before);
  });

  it('gets it still when the SMS has gone out meanwhile', async () => {
    const key = randomUUID();
    const outbox = replicas.first.get<SmsOutbox>(SmsOutbox);
    const slow = vi.spyOn(outbox, 'handOver').mockResolvedValueOnce(false);
    const first = await apply(key);
    slow.mockRestore();
    expect(first.json.data.smsSent).toBe(false);
    const { applicationId } = first.json.data;
    await replicas.travel(60_000);
    await eventually(
      async () => {
        const [sms] = await query<{ status: string }>(
          'SELECT status FROM sms_messages WHERE subject_id = $1',
          [applicationId],
        );
        expect(sms.status).toBe('HANDED_OVER');
      },
      { withinMs: 30_000 },
    );
    expectReplayed(await apply(key), first);
  });

  it('gets an answer when the first call died between its commit and its answer', async () => {
    const key = randomUUID();
    const first = await apply(key);
    const { applicationId } = first.json.data;
    // What a process leaves that is killed right after the commit.
    await query('UPDATE instant_loans SET is_sms_sent = NULL WHERE id = $1', [applicationId]);
    await replicas.travel(6_000);
    expectReplayed(await apply(key, {}, elsewhere), first);
    expectReplayed(await apply(key), first);
  });

  it('is a new request after 24 hours', async () => {
    const key = randomUUID();
    const first = await apply(key);
    await replicas.travel(24 * HOUR_MS + 1_000);
    const later = await apply(key);
    expect(later.headers).not.toHaveProperty('idempotency-replayed');
    expect(later.json.data.applicationId).not.toBe(first.json.data.applicationId);
  });
});

describe('409: the Idempotency-Key is taken', () => {
  it('by another body', async () => {
    const key = randomUUID();
    await apply(key);
    const { status, json } = await apply(key, { loanAmount: 5_000 });
    expect([status, json.code]).toEqual([409, 'idempotency_key_reused']);
  });

  it('by the first request while it writes, at once and on any replica', async () => {
    const key = randomUUID();
    const lock = await HeldLock.take(
      replicas.first.databaseUrl,
      'LOCK TABLE applications IN EXCLUSIVE MODE',
    );
    const first = apply(key);
    await lock.waiting('applications');
    for (const client of [demo, elsewhere]) {
      const { status, json, headers } = await apply(key, {}, client);
      expect([status, json.code]).toEqual([409, 'idempotency_in_flight']);
      expect(headers['retry-after']).toBe('1');
    }
    await lock.release();
    expect((await first).status).toBe(200);
    expectReplayed(await apply(key), await first);
  });

  it('by the first request while it hands the SMS over', async () => {
    const key = randomUUID();
    const outbox = replicas.first.get<SmsOutbox>(SmsOutbox);
    let letGo: (isSent: boolean) => void = () => undefined;
    const held = new Promise<boolean>((resolve) => (letGo = resolve));
    const slow = vi.spyOn(outbox, 'handOver').mockReturnValueOnce(held);
    const first = apply(key);
    await eventually(() => expect(slow).toHaveBeenCalled(), { withinMs: 20_000 });
    const { status, json } = await apply(key, {}, elsewhere);
    expect([status, json.code]).toEqual([409, 'idempotency_in_flight']);
    letGo(true);
    const answered = await first;
    slow.mockRestore();
    expect(answered.json.data.smsSent).toBe(true);
    expectReplayed(await apply(key, {}, elsewhere), answered);
  });

  it('makes one application when many send it at the same moment', async () => {
    const key = randomUUID();
    const before = await loansThere();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => apply(key, {}, n % 2 ? demo : elsewhere)),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const ids = answers.flatMap(({ status, json }) =>
      status === 200 ? json.data.applicationId : [],
    );
    expect(new Set(ids).size).toBe(1);
    expect(await loansThere()).toBe(before + 1);
  });
});

describe('what is kept under an Idempotency-Key', () => {
  it('is sealed, and written by the transaction that makes the application', async () => {
    const key = randomUUID();
    const { json } = await apply(key);
    const { applicationId, redirectUrl } = json.data;
    const [kept] = await query<{ row: string; writer: string }>(
      `SELECT a::text AS row, xmin::text AS writer FROM idempotent_answers a
       WHERE idempotency_key = $1`,
      [key],
    );
    expect(kept.row).toContain('v1:test:');
    expect(kept.row).not.toContain(redirectUrl);
    const [made] = await query<{ writer: string }>(
      `SELECT xmin::text AS writer FROM instant_loan_audit
       WHERE application_id = $1 AND trigger = 'APPLIED'`,
      [applicationId],
    );
    expect(kept.writer).toBe(made.writer);
  });
});
