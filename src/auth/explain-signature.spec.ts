import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../platform/index.js';
import { explainSignature, type GivenSignature, SIGNATURE_FINDINGS } from './explain-signature.js';
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

/** What is signed of the request with these parts changed. */
const signed = (changes: Partial<SignedRequest>, secret = SECRET) =>
  signRequest(secret, { ...POST, ...changes }).toString('hex');
const withBody = (text: string) => signed({ body: Buffer.from(text) });

const PATH = '/api/v1/partner/journey/initiate';
const TEXT = JSON.stringify(BODY);
const SPACED =
  '{"mobile": "9876543210", "customer": {"fullName": "आशा", "income": 5}, "a": [1, 2]}';
const SORTED = '{"a":[1,2],"customer":{"fullName":"आशा","income":5},"mobile":"9876543210"}';

describe('a mistake that is named', () => {
  const cases: [string, string, SignatureMistake][] = [
    ['no body', withBody(''), 'BODY_LEFT_OUT'],
    ['the hash of the body', withBody(sha256(TEXT)), 'BODY_HASHED'],
    ['the body with blanks', withBody(SPACED), 'BODY_SERIALISED_AGAIN'],
    [
      'the body with blanks and in ASCII, as of Python',
      withBody(SPACED.replace('आशा', String.raw`\u0906\u0936\u093e`)),
      'BODY_SERIALISED_AGAIN',
    ],
    ['the body with sorted keys', withBody(SORTED), 'BODY_SERIALISED_AGAIN'],
    ['the body and a line feed', withBody(`${TEXT}\n`), 'BODY_ENDS_OTHERWISE'],
    ['the path without its query', signed({ target: PATH }), 'QUERY_LEFT_OUT'],
    ['the query sorted', signed({ target: `${PATH}?a=1&b=%20x` }), 'QUERY_CHANGED'],
    ['the address', signed({ target: `https://api.example:8443${POST.target}` }), 'HOST_SIGNED'],
    ['the path without /api', signed({ target: POST.target.slice(4) }), 'PATH_CHANGED'],
    [
      'a method in lower case',
      hex(SECRET, HEAD.replace('POST', 'post') + TEXT),
      'METHOD_LOWER_CASE',
    ],
    ['no separator', hex(SECRET, HEAD.replaceAll('\n', '') + TEXT), 'SEPARATOR'],
    ['a written line feed', hex(SECRET, HEAD.replaceAll('\n', String.raw`\n`) + TEXT), 'SEPARATOR'],
    [
      'another order',
      hex(SECRET, `POST\n${POST.target}\n${POST.nonce}\n${POST.timestamp}\n${TEXT}`),
      'PART_ORDER',
    ],
    ['milliseconds', signed({ timestamp: `${NOW}417` }), 'TIMESTAMP_IN_MILLISECONDS'],
    ['a time a second later', signed({ timestamp: String(NOW + 1) }), 'OTHER_TIMESTAMP'],
    ['the nonce in upper case', signed({ nonce: POST.nonce.toUpperCase() }), 'NONCE_CHANGED'],
    ['the API key as secret', signed({}, API_KEY), 'API_KEY_AS_SECRET'],
    ['the secret without its prefix', signed({}, RANDOM), 'SECRET_CUT'],
    ['the secret without its end', signed({}, SECRET.slice(0, -3)), 'SECRET_CUT'],
    ['the secret decoded', hex(Buffer.from(RANDOM, 'base64url'), HEAD + TEXT), 'SECRET_DECODED'],
    ['the secret and a line feed', signed({}, `${SECRET}\n`), 'SECRET_WITH_MORE'],
    ['the secret of another key', signed({}, OTHER), 'OTHER_SECRET'],
    ['a plain hash', sha256(SECRET + HEAD + TEXT), 'NO_HMAC'],
    [
      'a right signature in Base64',
      signRequest(SECRET, POST).toString('base64'),
      'SIGNATURE_IN_BASE64',
    ],
  ];

  it.each(cases)('%s', (_, signature, mistake) => {
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
  it.each([
    ['the method', { method: 'PUT' }, '"PUT"'],
    [
      'the path',
      { target: PATH.replace('/api', '') + '?b=%20x&a=1' },
      '"/v1/partner/journey/initiate?b=%20x&a=1"',
    ],
    ['the time', { timestamp: String(NOW + 1) }, `"${NOW + 1}"`],
  ])('is %s that was signed in place of what arrived', (_, changes, instead) => {
    expect(explained(signed(changes)).says).toContain(`; what was signed has ${instead} there`);
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

  it('lets nobody find a secret out character by character', () => {
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
