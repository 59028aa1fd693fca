import { generateKeyPairSync } from 'node:crypto';
import { FlattenedSign } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  signAnswer,
  type SignatureProblem,
  type SignedAnswer,
  type SignedRequest,
  signRequest,
  verifyAnswer,
  verifyRequest,
} from './message-signatures.js';
import { publicJwkOf, signingKey, type SigningKey, verificationKey } from '../protocol-keys.js';

const NOW = 1_795_500_000;
const ID = 'jti-0123456789abcdef';
const keys = { EdDSA: newKey('EdDSA'), ES256: newKey('ES256') };

const request: SignedRequest = {
  method: 'POST',
  address: 'https://lender.example/rlp/offers',
  body: Buffer.from('{"amount":1,"name":"नमस्ते . ü"}'),
};
const answer: SignedAnswer = {
  status: 200,
  address: request.address,
  requestId: ID,
  body: Buffer.from('{"verdict":"DECLINED"}'),
};

function newKey(algorithm: 'EdDSA' | 'ES256'): SigningKey {
  const { privateKey } =
    algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return signingKey(`key-${algorithm}`, pem);
}

function verifyWith(key: SigningKey, now = NOW) {
  const known = verificationKey(publicJwkOf(key));
  return { now, findKey: (kid: string) => Promise.resolve(kid === known.kid ? known : null) };
}

const refusal = (problem: SignatureProblem) => expect.objectContaining({ problem }) as Error;

describe.each(['EdDSA', 'ES256'] as const)('a message signed with %s', (algorithm) => {
  const key = keys[algorithm];
  const sign = { key, now: NOW, id: ID };

  it('holds for the request that was signed', async () => {
    const header = await verifyRequest(
      await signRequest(request, sign),
      request,
      verifyWith(key, NOW + 300),
    );
    expect(header).toEqual({
      alg: algorithm,
      kid: key.kid,
      b64: false,
      crit: ['b64'],
      iat: NOW,
      jti: ID,
      htm: 'POST',
      htu: request.address,
    });
  });

  it.each<[SignatureProblem, Partial<SignedRequest>]>([
    ['DOES_NOT_MATCH', { body: Buffer.from('{"amount":2}') }],
    ['OTHER_ADDRESS', { address: 'https://lender.example/rlp/quotes' }],
    ['OTHER_METHOD', { method: 'GET' }],
  ])('is refused as %s for another request', async (problem, other) => {
    const signature = await signRequest(request, sign);
    const verified = verifyRequest(signature, { ...request, ...other }, verifyWith(key));
    await expect(verified).rejects.toEqual(refusal(problem));
  });

  it.each<[SignatureProblem, Partial<SignedAnswer>]>([
    ['DOES_NOT_MATCH', { body: Buffer.from('{}') }],
    ['OTHER_ADDRESS', { address: 'https://other.example/rlp/offers' }],
    ['OTHER_STATUS', { status: 202 }],
    ['OTHER_REQUEST', { requestId: 'jti-of-another-request' }],
  ])('is refused as %s for another answer', async (problem, other) => {
    const signature = await signAnswer(answer, { ...sign, id: 'answer-1' });
    await expect(verifyAnswer(signature, answer, verifyWith(key))).resolves.toMatchObject({
      req: ID,
      status: 200,
    });
    const verified = verifyAnswer(signature, { ...answer, ...other }, verifyWith(key));
    await expect(verified).rejects.toEqual(refusal(problem));
  });

  it.each([-301, 301])('is refused %d seconds away', async (seconds) => {
    const signature = await signRequest(request, sign);
    const verified = verifyRequest(signature, request, verifyWith(key, NOW + seconds));
    await expect(verified).rejects.toEqual(refusal('NOT_NOW'));
  });

  it('is refused under another key of the same name', async () => {
    const signature = await signRequest(request, sign);
    const other = { ...newKey(algorithm), kid: key.kid };
    const verified = verifyRequest(signature, request, verifyWith(other));
    await expect(verified).rejects.toEqual(refusal('DOES_NOT_MATCH'));
  });
});

describe('a signature', () => {
  const { EdDSA: key } = keys;
  const header = {
    alg: 'EdDSA',
    kid: key.kid,
    b64: false,
    crit: ['b64'],
    iat: NOW,
    jti: ID,
    htm: 'POST',
    htu: request.address,
  };
  const verify = (signature: string | undefined) =>
    verifyRequest(signature, request, verifyWith(key));

  async function signedWith(changed: object): Promise<string> {
    const jws = await new FlattenedSign(request.body)
      .setProtectedHeader({ ...header, ...changed })
      .sign(key.privateKey);
    return `${jws.protected}..${jws.signature}`;
  }

  it.each([
    ['over an encoded payload', { b64: true }],
    ['without b64 and crit', { b64: undefined, crit: undefined }],
    ['without a time', { iat: undefined }],
    ['without an id', { jti: undefined }],
    ['without an address', { htu: undefined }],
  ])('is malformed %s', async (_, changed) => {
    await expect(verify(await signedWith(changed))).rejects.toEqual(refusal('MALFORMED'));
  });

  it('is refused when it is an answer’s', async () => {
    const signature = await signAnswer(answer, { key, now: NOW, id: ID });
    await expect(verify(signature)).rejects.toEqual(refusal('MALFORMED'));
  });

  it('is refused when its algorithm is not the key’s', async () => {
    const other: SigningKey = { ...keys.ES256, kid: key.kid };
    const signature = await signRequest(request, { key: other, now: NOW, id: ID });
    await expect(verify(signature)).rejects.toEqual(refusal('WRONG_ALGORITHM'));
  });

  it('is refused with the algorithm none', async () => {
    const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url');
    await expect(verify(`${none}..AAAA`)).rejects.toEqual(refusal('MALFORMED'));
  });

  it.each([
    ['MISSING', undefined],
    ['MALFORMED', 'a.b.c'],
    ['MALFORMED', `${'A'.repeat(6_000)}..AAAA`],
  ] as const)('is %s when it is %j', async (problem, text) => {
    await expect(verify(text)).rejects.toEqual(refusal(problem));
  });

  it('is refused with its payload attached', async () => {
    const [front, , end] = (await signedWith({})).split('.');
    const attached = `${front}.${Buffer.from(request.body).toString('base64url')}.${end}`;
    await expect(verify(attached)).rejects.toEqual(refusal('MALFORMED'));
  });
});

describe('a public key', () => {
  const jwk = publicJwkOf(keys.ES256);

  it.each([
    ['it is a private one', { ...jwk, d: 'A'.repeat(43) }],
    ['its curve is another', { ...jwk, crv: 'P-384' }],
    ['it is no point of the curve', { ...jwk, x: 'A'.repeat(43) }],
    ['it is a secret', { kty: 'oct', kid: 'one', k: 'AAAA' }],
  ])('is refused when %s', (_, value) => {
    expect(() => verificationKey(value)).toThrow(Error);
  });
});
