import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../platform/index.js';
import { explainSignature, type GivenSignature } from './explain-signature.js';
import { canonicalHead, type SignedRequest, signRequest } from './request-signature.js';
import type { SignatureMistake } from './signature-mistakes.js';

const API_KEY = 'rinpath_test_QtcDymgWxHgP0FpAveYw80gDPtQ74d3wwwA9';
const RANDOM = 'taMhTyjoglJ5YQke3-vBbtYTyPi2B0R6FDJD1rDTjrA';
const SECRET = `rinpath_secret_test_${RANDOM}`;
const OTHER = `rinpath_secret_test_${'x'.repeat(43)}`;
const NOW = 1_767_225_600;
const BODY = { mobile: '9876543210', customer: { fullName: 'आशा', income: 5 }, a: [1, 2] };

const POST: SignedRequest = {
  method: 'POST',
  target: '/api/v1/partner/journey/initiate?b=%20x&a=1',
  timestamp: String(NOW),
  nonce: '5a1c3c4e-9d2b-4f6a-8e1d-0b7f3a2c4d5e',
  body: Buffer.from(JSON.stringify(BODY)),
};
const HEAD = canonicalHead(POST);
const bare = { ...POST, body: Buffer.alloc(0) };
const hex = (secret: string | Buffer, message: string) =>
  createHmac('sha256', secret).update(message).digest('hex');

function explained(signature: string, changes: Partial<GivenSignature> = {}) {
  return explainSignature({
    request: POST,
    signature,
    secret: SECRET,
    apiKey: API_KEY,
    otherSecrets: [OTHER],
    hosts: ['api.example:8443'],
    now: NOW,
    ...changes,
  });
}

/** The signature of the request with these parts changed. */
const signed = (changes: Partial<SignedRequest>, secret = SECRET) =>
  signRequest(secret, { ...POST, ...changes }).toString('hex');
const withBody = (text: string) => signed({ body: Buffer.from(text) });

const PATH = '/api/v1/partner/journey/initiate';
const TEXT = JSON.stringify(BODY);
const SPACED =
  '{"mobile": "9876543210", "customer": {"fullName": "आशा", "income": 5}, "a": [1, 2]}';
const SORTED = '{"a":[1,2],"customer":{"fullName":"आशा","income":5},"mobile":"9876543210"}';

describe('a mistake that is named', () => {
  const sign = (target: string) => signed({ target });
  const head = (separator: string) => hex(SECRET, HEAD.replaceAll('\n', separator) + TEXT);
  const { target, nonce, timestamp } = POST;

  it.each<[SignatureMistake, string]>([
    ['BODY_LEFT_OUT', withBody('')],
    ['BODY_HASHED', withBody(sha256(TEXT))],
    ['BODY_SERIALISED_AGAIN', withBody(SPACED)],
    // Python escapes non-ASCII letters.
    ['BODY_SERIALISED_AGAIN', withBody(SPACED.replace('आशा', String.raw`\u0906\u0936\u093e`))],
    ['BODY_SERIALISED_AGAIN', withBody(SORTED)],
    ['BODY_ENDS_OTHERWISE', withBody(`${TEXT}\n`)],
    ['QUERY_LEFT_OUT', sign(PATH)],
    ['QUERY_CHANGED', sign(`${PATH}?a=1&b=%20x`)],
    ['HOST_SIGNED', sign(`https://api.example:8443${target}`)],
    ['PATH_CHANGED', sign(target.slice(4))],
    ['METHOD_LOWER_CASE', hex(SECRET, HEAD.replace('POST', 'post') + TEXT)],
    ['SEPARATOR', head('')],
    ['SEPARATOR', head(String.raw`\n`)],
    ['PART_ORDER', hex(SECRET, `POST\n${target}\n${nonce}\n${timestamp}\n${TEXT}`)],
    ['TIMESTAMP_IN_MILLISECONDS', signed({ timestamp: `${NOW}417` })],
    ['OTHER_TIMESTAMP', signed({ timestamp: String(NOW + 1) })],
    ['NONCE_CHANGED', signed({ nonce: nonce.toUpperCase() })],
    ['API_KEY_AS_SECRET', signed({}, API_KEY)],
    ['SECRET_CUT', signed({}, RANDOM)],
    ['SECRET_CUT', signed({}, SECRET.slice(0, -3))],
    ['SECRET_DECODED', hex(Buffer.from(RANDOM, 'base64url'), HEAD + TEXT)],
    ['SECRET_WITH_MORE', signed({}, `${SECRET}\n`)],
    ['OTHER_SECRET', signed({}, OTHER)],
    ['NO_HMAC', sha256(SECRET + HEAD + TEXT)],
    ['SIGNATURE_IN_BASE64', signRequest(SECRET, POST).toString('base64')],
  ])('%s', (mistake, signature) => {
    expect(explained(signature).finding).toBe(mistake);
  });

  it('is none where the signature is right, in either case', () => {
    expect(explained(signed({})).finding).toBe('RIGHT');
    expect(explained(signed({}).toUpperCase()).finding).toBe('RIGHT');
  });

  it('is none, and said all the same, where GET is signed without its query', () => {
    const request = { ...bare, method: 'GET' };
    const signature = signRequest(SECRET, { ...request, target: PATH }).toString('hex');
    expect(explained(signature, { request }).finding).toBe('RIGHT_WITHOUT_QUERY');
  });

  it('is not made up', () => {
    const none = ['a'.repeat(64), '', 'x', 'a'.repeat(63), signed({}, 'some other secret')];
    for (const signature of none) expect(explained(signature).finding).toBe('UNKNOWN');
  });
});

describe('what an explanation shows', () => {
  it('is what was signed in place of what arrived', () => {
    const path = '/v1/partner/journey/initiate?b=%20x&a=1';
    for (const [changes, instead] of [
      [{ method: 'PUT' }, 'PUT'],
      [{ target: path }, path],
      [{ timestamp: String(NOW + 1) }, String(NOW + 1)],
    ] as const) {
      expect(explained(signed(changes)).says).toContain(`; you signed "${instead}" there`);
    }
  });

  it('is the body’s length and hash, and how far the timestamp is off', () => {
    const request = { ...POST, timestamp: String(NOW - 301) };
    expect(explained('a'.repeat(64), { request })).toEqual({
      finding: 'UNKNOWN',
      says: expect.any(String),
      canonical: canonicalHead(request),
      bodyBytes: Buffer.byteLength(TEXT),
      bodySha256: sha256(TEXT),
      secondsAhead: -301,
      isInTime: false,
    });
    expect(explained('a'.repeat(64), { now: NOW - 300 })).toMatchObject({
      secondsAhead: 300,
      isInTime: true,
    });
  });

  it('does not reveal a secret character by character', () => {
    for (const length of [0, 1, 8, 20, 21, SECRET.length - 9]) {
      expect(explained(signed({}, SECRET.slice(0, length))).finding).toBe('UNKNOWN');
      expect(explained(signed({}, SECRET.slice(SECRET.length - length))).finding).toBe('UNKNOWN');
    }
  });

  it('parses no large body, and survives a deep and a broken one', () => {
    const bodies = ['['.repeat(8_000) + ']'.repeat(8_000), '{"a":', '\u0000', 'null'];
    for (const body of bodies) {
      const request = { ...POST, body: Buffer.from(body) };
      expect(explained('a'.repeat(64), { request }).finding).toBe('UNKNOWN');
    }
    const large = { text: 'x'.repeat(20_000) };
    const request = { ...POST, body: Buffer.from(JSON.stringify(large)) };
    const again = signRequest(SECRET, {
      ...POST,
      body: Buffer.from(JSON.stringify(large, null, 2)),
    });
    expect(explained(again.toString('hex'), { request }).finding).toBe('UNKNOWN');
  });
});
