import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartnerClient, sign } from './partner-client.js';
import { WebhookReceiver } from './webhook-receiver.js';

let receiver: WebhookReceiver;
let client: PartnerClient;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  client = new PartnerClient({
    baseUrl: `http://127.0.0.1:${receiver.port}`,
    apiKey: 'a-key',
    apiSecret: 'a-secret',
    now: () => new Date(1_700_000_000_900),
  });
});

afterEach(() => receiver.stop());

describe('the signing client', () => {
  it('sends the target and the bytes exactly as they were given', async () => {
    const target = '/a/../%7e//b?x=%20&x=1';
    await client.request('POST', target, { body: '{"a" : 1}' });
    const [delivery] = receiver.deliveries;
    expect(delivery?.path).toBe(target);
    expect(delivery?.body.toString()).toBe('{"a" : 1}');
  });

  it('signs method, target, timestamp, nonce and bytes', async () => {
    await client.request('POST', '/x?y=1', { body: { a: 'ä' } });
    const { headers } = receiver.deliveries[0];
    expect(headers['x-timestamp']).toBe('1700000000');
    const parts = { method: 'POST', target: '/x?y=1', timestamp: '1700000000', body: '{"a":"ä"}' };
    const nonce = String(headers['x-nonce']);
    expect(headers['x-signature']).toBe(sign('a-secret', { ...parts, nonce }));
    expect(headers['content-length']).toBe('10');
  });

  it('leaves a header out, repeats one and replaces one', async () => {
    await client.request('GET', '/x', {
      headers: { 'X-Nonce': null, 'x-signature': 'forged', 'x-more': ['1', '2'] },
      bearer: true,
    });
    const { headers, rawHeaders } = receiver.deliveries[0];
    expect(headers).not.toHaveProperty('x-nonce');
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).toMatchObject({ authorization: 'Bearer a-key', 'x-signature': 'forged' });
    expect(rawHeaders.filter((name) => name === 'x-more')).toHaveLength(2);
    expect(rawHeaders.filter((name) => name.toLowerCase() === 'host')).toHaveLength(1);
  });
});

describe('the webhook receiver', () => {
  it('answers by its script, then always the same', async () => {
    receiver.answerNext(500, { status: 302, headers: { location: '/y' }, body: 'gone' });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await client.request('POST', '/h')).status);
    expect(statuses).toEqual([500, 302, 200]);
    receiver.answerAlways(410);
    expect((await client.request('POST', '/h')).status).toBe(410);
  });

  it('hangs up when told to', async () => {
    receiver.answerNext({ hangUp: true });
    await expect(client.request('POST', '/h')).rejects.toThrow(/hang up|reset/);
  });

  it('waits for what is still to come, and gives up in time', async () => {
    const waiting = receiver.waitForEvent('journey.initiated');
    await client.request('POST', '/h', { body: { event: 'journey.initiated' } });
    expect((await waiting).json().event).toBe('journey.initiated');
    await expect(receiver.waitForCount(2, 50)).rejects.toThrow('received so far: /h');
  });
});
