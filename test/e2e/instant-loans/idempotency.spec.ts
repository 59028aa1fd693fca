import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SmsOutbox } from '../../../src/messaging/index.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { applyForInstantLoan, type CreatedInstantLoan } from '../../support/instant-loans.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';

let replicas: SharedReplicas;
let demo: PartnerClient;
let elsewhere: PartnerClient;

beforeAll(async () => {
  replicas = await sharedReplicas();
  demo = partnerClient(replicas.first);
  elsewhere = partnerClient(replicas.second);
});

function apply(key: string, client = demo) {
  return applyForInstantLoan(client, {}, key);
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
  it('gets the first answer again, on any replica, also when the SMS has gone out meanwhile', async () => {
    const key = randomUUID();
    const outbox = replicas.first.get<SmsOutbox>(SmsOutbox);
    const slow = vi.spyOn(outbox, 'handOver').mockResolvedValueOnce(false);
    const first = await apply(key);
    slow.mockRestore();
    expect(first.json.data.smsSent).toBe(false);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const before = await loansThere();
    const { journeyId } = first.json.data;
    await replicas.travel(60_000);
    const sms = 'SELECT status FROM sms_messages WHERE subject_id = $1';
    await eventually(
      async () => expect(await query(sms, [journeyId])).toEqual([{ status: 'HANDED_OVER' }]),
      { withinMs: 30_000 },
    );
    for (const client of [demo, elsewhere]) expectReplayed(await apply(key, client), first);
    expect(await loansThere()).toBe(before);
  });

  it('gets an answer when the first call died between its commit and its answer', async () => {
    const key = randomUUID();
    const first = await apply(key);
    const { applicationId } = first.json.data;
    // As a process leaves it that is killed right after the commit.
    await query('UPDATE instant_loans SET is_sms_sent = NULL WHERE id = $1', [applicationId]);
    await replicas.travel(6_000);
    expectReplayed(await apply(key, elsewhere), first);
    expectReplayed(await apply(key), first);
  });
});

describe('409: the Idempotency-Key is taken', () => {
  it('by the first request while it hands the SMS over', async () => {
    const key = randomUUID();
    const outbox = replicas.first.get<SmsOutbox>(SmsOutbox);
    let release: (isSent: boolean) => void = () => undefined;
    const held = new Promise<boolean>((resolve) => (release = resolve));
    const slow = vi.spyOn(outbox, 'handOver').mockReturnValueOnce(held);
    const first = apply(key);
    await eventually(() => expect(slow).toHaveBeenCalled(), { withinMs: 20_000 });
    const { status, json } = await apply(key, elsewhere);
    expect([status, json.code]).toEqual([409, 'idempotency_in_flight']);
    release(true);
    const answered = await first;
    slow.mockRestore();
    expect(answered.json.data.smsSent).toBe(true);
    expectReplayed(await apply(key, elsewhere), answered);
  });
});
