import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bodySignature, standardSignature, webhookSecret } from './signatures.js';

const SECRET = webhookSecret(Buffer.alloc(32, 1));
const OTHER = webhookSecret(Buffer.alloc(32, 2));
const BODY = '{"id":"evt_1","name":"ऋण"}';

function headersAt(timestamp: number, secrets: string[]): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature(secrets, { id: 'evt_1', timestamp, body: BODY }),
  };
}

describe('webhookSecret', () => {
  it('is whsec_ and the base64 of 32 bytes', () => {
    expect(SECRET).toBe('whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=');
  });
});

describe('bodySignature', () => {
  it('is the hex HMAC-SHA256 of the raw bytes, keyed with the text of the secret', () => {
    const expected = createHmac('sha256', SECRET).update(Buffer.from(BODY, 'utf8')).digest('hex');
    expect(bodySignature(SECRET, BODY)).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('standardSignature', () => {
  const now = 1_795_350_600;

  // The library compares the timestamp with its process's clock.
  beforeEach(() => void vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('is verified with either secret while a rotation overlaps', () => {
    const headers = headersAt(now, [SECRET, OTHER]);
    expect(() => new Webhook(SECRET).verify(BODY, headers)).not.toThrow();
    expect(() => new Webhook(OTHER).verify(BODY, headers)).not.toThrow();
  });

  it('is refused for another body, another secret and another time', () => {
    const headers = headersAt(now, [SECRET]);
    expect(() => new Webhook(SECRET).verify(`${BODY} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(OTHER).verify(BODY, headers)).toThrow('No matching signature');
    const later = { ...headers, 'webhook-timestamp': String(now + 1) };
    expect(() => new Webhook(SECRET).verify(BODY, later)).toThrow('No matching signature');
  });
});
