import { describe, expect, it } from 'vitest';
import { HOUR_MS, type SendingBench, sendingTests } from './sending-bench.js';
import { expectSigned, verifyStandard } from './signed-delivery.js';

const MOST = 10;

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

function rotate(id: string) {
  return sending.partner.post<{ secret: string }>(`/webhooks/${id}/rotate-secret`);
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
});
