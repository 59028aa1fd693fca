import { describe, expect, it } from 'vitest';
import { HOUR_MS, type SendingBench, sendingTests } from './sending-bench.js';
import { expectSigned, verifyStandard } from './signed-delivery.js';

const MOST = 10;

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

function rotate(id: string, idempotencyKey?: string) {
  return sending.partner.post<{ secret: string }>(`/webhooks/${id}/rotate-secret`, undefined, {
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}

async function rotated(id: string): Promise<string> {
  const { status, json } = await rotate(id);
  expect(status).toBe(200);
  return json.data.secret;
}

/** The next delivery. */
async function delivered() {
  const before = sending.receiver.deliveries.length;
  await sending.publish();
  const deliveries = await sending.receiver.waitForCount(before + 1);
  return deliveries[before];
}

describe('secrets that were replaced within 24 hours', () => {
  it('all sign webhook-signature, each for a day after it was replaced', async () => {
    const { id, secret: first } = await sending.subscribe();
    const second = await rotated(id);
    await sending.travel(HOUR_MS);
    const third = await rotated(id);
    const all = await delivered();
    expectSigned(all, third);
    for (const secret of [first, second, third]) verifyStandard(all, secret);

    await sending.travel(23 * HOUR_MS + 60_000);
    const later = await delivered();
    for (const secret of [second, third]) verifyStandard(later, secret);
    expect(() => verifyStandard(later, first)).toThrow('No matching signature');

    await sending.travel(HOUR_MS);
    const last = await delivered();
    expect(String(last.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('are at most ten, and an eleventh rotation waits until the first was a day ago', async () => {
    const { id } = await sending.subscribe();
    const secrets: string[] = [];
    for (let count = 0; count < MOST; count += 1) secrets.push(await rotated(id));
    const delivery = await delivered();
    expect(String(delivery.headers['webhook-signature']).split(' ')).toHaveLength(MOST);
    for (const secret of secrets) verifyStandard(delivery, secret);

    const refused = await rotate(id);
    expect(refused).toMatchObject({ status: 429, json: { code: 'rotation_limit_reached' } });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    await sending.travel(seconds * 1_000);
    await rotated(id);
  });
});

describe('an Idempotency-Key', () => {
  it('has a rotation answered again with the same secret', async () => {
    const { id } = await sending.subscribe();
    const first = await rotate(id, 'one');
    const again = await rotate(id, 'one');
    expect(again.json.data).toEqual(first.json.data);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const delivery = await delivered();
    expectSigned(delivery, first.json.data.secret);
    expect(String(delivery.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const kept = await sending.database.query<{ row: string }>(
      'SELECT a::text AS row FROM idempotent_answers a WHERE partner_id = $1',
      [sending.partnerId],
    );
    expect(JSON.stringify(kept)).not.toContain(first.json.data.secret.slice('whsec_'.length));
  });

  it('has a registration answered again with the same id and secret', async () => {
    const register = (url: string) =>
      sending.partner.post<object>('/webhooks', { url }, { headers: { 'idempotency-key': 'new' } });
    const first = await register(sending.receiver.url());
    const again = await register(sending.receiver.url());
    expect(again.json.data).toEqual(first.json.data);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const { json } = await register(sending.receiver.url('/another'));
    expect(json.code).toBe('idempotency_key_reused');
  });
});
