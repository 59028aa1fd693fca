import { generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { verifyKeyFactsSignature } from './message-signatures.js';
import { publicJwkOf, signingKey, type SigningKey, verificationKey } from '../protocol-keys.js';

const HASH = 'ab'.repeat(32);
const KEY = newKey('lender-1');

function newKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return signingKey(kid, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
}

function signed(payload: string, header: object = {}, key = KEY): Promise<string> {
  return new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: key.algorithm, kid: KEY.kid, ...header })
    .sign(key.privateKey);
}

const check = (signature: string) =>
  verifyKeyFactsSignature(signature, HASH, (kid) =>
    Promise.resolve(kid === KEY.kid ? verificationKey(publicJwkOf(KEY)) : null),
  );

describe('a lender’s signature of a Key Facts Statement', () => {
  it('holds for the hash that was signed, under a key of the lender', async () => {
    await expect(check(await signed(HASH))).resolves.toBeUndefined();
  });

  it.each<[string, string, () => Promise<string>]>([
    ['another hash', 'OTHER_STATEMENT', () => signed('cd'.repeat(32))],
    ['the bytes of the hash', 'OTHER_STATEMENT', () => signed('\u00ab'.repeat(32))],
    ['no key of the lender', 'UNKNOWN_KEY', () => signed(HASH, { kid: 'lender-2' })],
    ['a stranger’s key of the same name', 'DOES_NOT_MATCH', () => signed(HASH, {}, newKey('x'))],
    [
      'an algorithm that is none',
      'WRONG_ALGORITHM',
      () => Promise.resolve(`${header({ alg: 'none', kid: KEY.kid })}.${payload()}.`),
    ],
    [
      'the public key as a secret',
      'WRONG_ALGORITHM',
      () => Promise.resolve(`${header({ alg: 'HS256', kid: KEY.kid })}.${payload()}.AAAA`),
    ],
    ['a text that is no JWS', 'MALFORMED', () => Promise.resolve('a.b.c')],
  ])('does not hold for %s', async (_, problem, made) => {
    await expect(check(await made())).rejects.toMatchObject({ problem });
  });
});

const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payload = () => Buffer.from(HASH).toString('base64url');
