import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { HOUR_MS, type SendingBench, sendingTests } from './sending-bench.js';
import { expectSigned, verifyStandard } from './signed-delivery.js';

const MOST = 10;

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

function rotate(id: string, headers: Record<string, string> = {}) {
  return sending.partner.post<{ secret: string }>(`/webhooks/${id}/rotate-secret`, undefined, {
    headers,
  });
}

async function rotated(id: string): Promise<string> {
  const { status, json } = await rotate(id);
  expect(status).toBe(200);
  return json.data.secret;
}

async function delivered() {
  const before = sending.receiver.deliveries.length;
  await sending.publish();
  return (await sending.receiver.waitForCount(before + 1))[before];
}

function signaturesOf({ headers }: Awaited<ReturnType<typeof delivered>>): string[] {
  return String(headers['webhook-signature']).split(' ');
}

describe('a subscription', () => {
  it('that was deleted gets nothing more, not even what was waiting', async () => {
    sending.receiver.answerNext(500);
    const { id } = await sending.subscribe(sending.receiver.url('/deleted'));
    await sending.publish();
    await sending.recorded(id, 1);
    expect((await sending.partner.delete(`/webhooks/${id}`)).status).toBe(200);
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'CANCELLED' });
    await sending.travel(HOUR_MS);
    // A delivery to another subscription shows that the senders have checked.
    await sending.subscribe(sending.receiver.url('/other'));
    for (let event = 0; event < 2; event += 1) await delivered();
    const paths = sending.receiver.deliveries.map(({ path }) => path);
    expect(paths).toEqual(['/deleted', '/other', '/other']);
  });

  it('that was deleted while a delivery was in flight stays deleted, and the answer is void', async () => {
    const before = await sending.voids();
    const deleted = Promise.withResolvers<void>();
    sending.receiver.answerNext({ status: 200, after: deleted.promise });
    const { id } = await sending.subscribe();
    await sending.publish();
    await sending.receiver.waitForCount(1);
    await sending.partner.delete(`/webhooks/${id}`);
    deleted.resolve();
    await eventually(async () => expect(await sending.voids()).toBe(before + 1));
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'CANCELLED', attempts: 0 });
  });

  it('whose secret was rotated signs with the new one at once, and with each replaced one for 24 hours', async () => {
    const { id, secret: first } = await sending.subscribe();
    const second = await rotated(id);
    await sending.travel(HOUR_MS);
    const third = await rotated(id);
    const all = await delivered();
    expectSigned(all, third);
    for (const secret of [first, second, third]) verifyStandard(all, secret);
    await sending.travel(23 * HOUR_MS - 60_000);
    verifyStandard(await delivered(), first);
    await sending.travel(120_000);
    const later = await delivered();
    for (const secret of [second, third]) verifyStandard(later, secret);
    expect(() => verifyStandard(later, first)).toThrow('No matching signature');
    await sending.travel(HOUR_MS);
    expect(signaturesOf(await delivered())).toHaveLength(1);
  });

  it('has at most ten secrets: an eleventh rotation waits until the first was a day ago', async () => {
    const { id } = await sending.subscribe();
    const secrets: string[] = [];
    for (let count = 0; count < MOST; count += 1) secrets.push(await rotated(id));
    const delivery = await delivered();
    expect(signaturesOf(delivery)).toHaveLength(MOST);
    for (const secret of secrets) verifyStandard(delivery, secret);
    const refused = await rotate(id);
    expect(refused).toMatchObject({ status: 429, json: { code: 'rotation_limit_reached' } });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    await sending.travel(seconds * 1_000);
    await rotated(id);
  });

  it('has its rotation answered again with the same secret under an Idempotency-Key, which is not kept in plain', async () => {
    const { id } = await sending.subscribe();
    const first = await rotate(id, { 'idempotency-key': 'one' });
    const again = await rotate(id, { 'idempotency-key': 'one' });
    expect(again.json.data).toEqual(first.json.data);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(signaturesOf(await delivered())).toHaveLength(2);
    const kept = await sending.database.query(
      'SELECT a::text AS row FROM idempotent_answers a WHERE partner_id = $1',
      [sending.partnerId],
    );
    expect(JSON.stringify(kept)).not.toContain(first.json.data.secret.slice('whsec_'.length));
  });

  it('whose address answers 410 goes inactive and keeps what comes', async () => {
    sending.receiver.answerNext(410);
    const { id } = await sending.subscribe();
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'PAUSED' });
    expect(await sending.listed(id)).toMatchObject({ isActive: false, failureCount: 1 });
    await sending.publish();
    expect(await sending.deliveryOf(id)).toMatchObject({ status: 'PAUSED', attempts: 0 });
    expect(sending.receiver.deliveries).toHaveLength(1);
  });
});
