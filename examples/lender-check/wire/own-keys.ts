import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { type Algorithm, ALGORITHMS, type SigningKey } from './detached-jws.ts';

/**
 * The keys that this tool signs with as Rinpath. It uses the first; the second shows that a lender accepts both. With a
 * file they stay the same, so that a lender can pin them.
 */
export async function ownKeys(file: string | null): Promise<readonly SigningKey[]> {
  if (file !== null && existsSync(file)) return Promise.all(readKeys(file).map(toSigningKey));
  const jwks = await Promise.all(ALGORITHMS.map(makeKey));
  if (file !== null) {
    writeFileSync(file, `${JSON.stringify({ keys: jwks }, null, 2)}\n`, { mode: 0o600 });
  }
  return Promise.all(jwks.map(toSigningKey));
}

/** An unpublished key under the name of a published one. */
export async function strangersKey(kid: string, alg: Algorithm): Promise<SigningKey> {
  return toSigningKey({ ...(await makeKey(alg)), kid });
}

export function publicJwks(keys: readonly SigningKey[]): { keys: JWK[] } {
  return { keys: keys.map(({ publicJwk }) => publicJwk) };
}

async function makeKey(alg: Algorithm): Promise<JWK> {
  const curve = alg === 'EdDSA' ? { crv: 'Ed25519' } : {};
  const { privateKey } = await generateKeyPair(alg, { ...curve, extractable: true });
  const kid = `lender-check-${randomUUID().slice(0, 8)}`;
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

function readKeys(file: string): readonly JWK[] {
  const content = JSON.parse(readFileSync(file, 'utf8')) as JWK & { keys?: readonly JWK[] };
  const keys = content.keys ?? [content];
  if (keys.length === 0) throw new Error(`${file} has no keys.`);
  return keys;
}

async function toSigningKey(jwk: JWK): Promise<SigningKey> {
  const alg = ALGORITHMS.find((known) => known === jwk.alg);
  if (!alg || !jwk.kid || !jwk.d) {
    throw new Error('A signing key must be a private JWK with kid and alg EdDSA or ES256.');
  }
  const { d: _private, ...publicJwk } = jwk;
  const privateKey = (await importJWK(jwk, alg)) as CryptoKey;
  return { kid: jwk.kid, alg, privateKey, publicJwk };
}
